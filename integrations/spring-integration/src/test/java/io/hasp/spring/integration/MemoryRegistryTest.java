package io.hasp.spring.integration;

import io.hasp.LockClient;

class MemoryRegistryTest extends SpringRegistryCases {
    @Override
    LockClient connect() {
        return LockClient.connect("memory://springs");
    }
}
