package io.hasp.redis;

/** Redlock as it is. */
class MajorityTest implements MajorityRules {}
