package io.dmodc.house;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchRule;

/**
 * The kinds of rule the house has, with the packages as arguments: {@link HouseRulesTest} applies them to our packages,
 * {@link HouseRulesCanFailTest} to small samples that break them.
 *
 * <p>They are ArchUnit's package patterns: {@code io.dmodc.topology..} is the package and all below it. Stateless.
 */
final class HouseRules {

    private HouseRules() {}

    /** Of our own packages, {@code part} knows only {@code allowed}. */
    static ArchRule knowsOnly(String part, String... allowed) {
        return classes()
                .that()
                .resideInAPackage(part)
                .should()
                .onlyDependOnClassesThat(not(resideInAPackage("io.dmodc..")).or(resideInAnyPackage(allowed)));
    }

    /** {@code part} knows nothing of {@code strangers}. */
    static ArchRule knowsNothingOf(String part, String... strangers) {
        return noClasses().that().resideInAPackage(part).should().dependOnClassesThat(resideInAnyPackage(strangers));
    }

    /** Of {@code everybody}, only {@code allowed} know {@code guarded}. */
    static ArchRule isKnownOnlyTo(String everybody, String guarded, String... allowed) {
        return noClasses()
                .that()
                .resideInAPackage(everybody)
                .and()
                .resideOutsideOfPackages(allowed)
                .should()
                .dependOnClassesThat(resideInAPackage(guarded));
    }

    /** Time, randomness, threads and bytes are arguments: the classes of a core take none of them by themselves. */
    static ArchRule staysPure(DescribedPredicate<? super JavaClass> core) {
        return noClasses()
                .that(core)
                .should()
                .dependOnClassesThat(Impurity.types())
                .orShould()
                .accessTargetWhere(Impurity.accesses())
                .because("time, randomness, threads and bytes are arguments of a core");
    }

    /** No packages below {@code root} know each other in a round. */
    static ArchRule hasNoCycles(String root) {
        return slices().matching(root + ".(**)").should().beFreeOfCycles();
    }
}
