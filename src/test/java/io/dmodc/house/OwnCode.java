package io.dmodc.house;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;

/** Only what is shipped: ArchUnit's own option does not know where this module's test classes lie. */
final class OwnCode implements ImportOption {

    @Override
    public boolean includes(Location location) {
        return !location.contains("/test-classes/") && !location.contains("-tests.jar");
    }
}
