package io.dmodc.settings;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** The key of a record component in the file where it is not the component's name in kebab case (Java keywords). */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
public @interface SettingsKey {
    /** Returns the key as written in the file. */
    String value();
}
