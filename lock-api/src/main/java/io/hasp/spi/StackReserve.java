package io.hasp.spi;

import java.util.concurrent.ThreadLocalRandom;

/**
 * Checks that enough stack is left for a call that must not break off half-way. Each call of the engine begins with it, before it changes
 * or sends anything: the engine, a backend and its client library never need that much. A caller with less gets a
 * {@link StackOverflowError} and has changed nothing, so a deep recursion of a program does not end its client. Thread-safe.
 *
 * <p>The check takes 10 kB at least, also when it is compiled: a compiler makes all frames of a method as large as the one that keeps most
 * values across a call. One call of a hundred has such a frame.
 */
public final class StackReserve {
    private static final int FRAMES = 8;
    private static final int SELDOM = 1_023;

    /** All zero, which a compiler can't know. */
    private static final long[] VALUES = new long[196];

    private StackReserve() {}

    /**
     * Throws if too little stack is left. Takes some 20 ns.
     *
     * @throws StackOverflowError if too little is left
     */
    public static void require() {
        requireTimes(1);
    }

    /**
     * Throws if less than several reserves of stack are left: for a call on whose way another check must not fail.
     *
     * @param reserves at least one
     * @throws StackOverflowError if too little is left
     */
    public static void requireTimes(int reserves) {
        int frames = reserves * FRAMES;
        int keeping = ThreadLocalRandom.current().nextInt() & SELDOM;
        if (descend(frames, keeping) != frames) {
            throw new AssertionError("counted wrong");
        }
    }

    private static long descend(int frames, int keeping) {
        if (frames == 0) {
            return 0;
        }
        if (frames != keeping) {
            return 1 + descend(frames - 1, keeping);
        }
        long[] v = VALUES;
        long a0 = v[0], b0 = v[1], c0 = v[2], d0 = v[3], e0 = v[4], f0 = v[5], g0 = v[6];
        long a1 = v[7], b1 = v[8], c1 = v[9], d1 = v[10], e1 = v[11], f1 = v[12], g1 = v[13];
        long a2 = v[14], b2 = v[15], c2 = v[16], d2 = v[17], e2 = v[18], f2 = v[19], g2 = v[20];
        long a3 = v[21], b3 = v[22], c3 = v[23], d3 = v[24], e3 = v[25], f3 = v[26], g3 = v[27];
        long a4 = v[28], b4 = v[29], c4 = v[30], d4 = v[31], e4 = v[32], f4 = v[33], g4 = v[34];
        long a5 = v[35], b5 = v[36], c5 = v[37], d5 = v[38], e5 = v[39], f5 = v[40], g5 = v[41];
        long a6 = v[42], b6 = v[43], c6 = v[44], d6 = v[45], e6 = v[46], f6 = v[47], g6 = v[48];
        long a7 = v[49], b7 = v[50], c7 = v[51], d7 = v[52], e7 = v[53], f7 = v[54], g7 = v[55];
        long a8 = v[56], b8 = v[57], c8 = v[58], d8 = v[59], e8 = v[60], f8 = v[61], g8 = v[62];
        long a9 = v[63], b9 = v[64], c9 = v[65], d9 = v[66], e9 = v[67], f9 = v[68], g9 = v[69];
        long a10 = v[70], b10 = v[71], c10 = v[72], d10 = v[73], e10 = v[74], f10 = v[75], g10 = v[76];
        long a11 = v[77], b11 = v[78], c11 = v[79], d11 = v[80], e11 = v[81], f11 = v[82], g11 = v[83];
        long a12 = v[84], b12 = v[85], c12 = v[86], d12 = v[87], e12 = v[88], f12 = v[89], g12 = v[90];
        long a13 = v[91], b13 = v[92], c13 = v[93], d13 = v[94], e13 = v[95], f13 = v[96], g13 = v[97];
        long a14 = v[98], b14 = v[99], c14 = v[100], d14 = v[101], e14 = v[102], f14 = v[103], g14 = v[104];
        long a15 = v[105], b15 = v[106], c15 = v[107], d15 = v[108], e15 = v[109], f15 = v[110], g15 = v[111];
        long a16 = v[112], b16 = v[113], c16 = v[114], d16 = v[115], e16 = v[116], f16 = v[117], g16 = v[118];
        long a17 = v[119], b17 = v[120], c17 = v[121], d17 = v[122], e17 = v[123], f17 = v[124], g17 = v[125];
        long a18 = v[126], b18 = v[127], c18 = v[128], d18 = v[129], e18 = v[130], f18 = v[131], g18 = v[132];
        long a19 = v[133], b19 = v[134], c19 = v[135], d19 = v[136], e19 = v[137], f19 = v[138], g19 = v[139];
        long a20 = v[140], b20 = v[141], c20 = v[142], d20 = v[143], e20 = v[144], f20 = v[145], g20 = v[146];
        long a21 = v[147], b21 = v[148], c21 = v[149], d21 = v[150], e21 = v[151], f21 = v[152], g21 = v[153];
        long a22 = v[154], b22 = v[155], c22 = v[156], d22 = v[157], e22 = v[158], f22 = v[159], g22 = v[160];
        long a23 = v[161], b23 = v[162], c23 = v[163], d23 = v[164], e23 = v[165], f23 = v[166], g23 = v[167];
        long a24 = v[168], b24 = v[169], c24 = v[170], d24 = v[171], e24 = v[172], f24 = v[173], g24 = v[174];
        long a25 = v[175], b25 = v[176], c25 = v[177], d25 = v[178], e25 = v[179], f25 = v[180], g25 = v[181];
        long a26 = v[182], b26 = v[183], c26 = v[184], d26 = v[185], e26 = v[186], f26 = v[187], g26 = v[188];
        long a27 = v[189], b27 = v[190], c27 = v[191], d27 = v[192], e27 = v[193], f27 = v[194], g27 = v[195];
        long below = 1 + descend(frames - 1, keeping);
        below += a0 | b0 | c0 | d0 | e0 | f0 | g0;
        below += a1 | b1 | c1 | d1 | e1 | f1 | g1;
        below += a2 | b2 | c2 | d2 | e2 | f2 | g2;
        below += a3 | b3 | c3 | d3 | e3 | f3 | g3;
        below += a4 | b4 | c4 | d4 | e4 | f4 | g4;
        below += a5 | b5 | c5 | d5 | e5 | f5 | g5;
        below += a6 | b6 | c6 | d6 | e6 | f6 | g6;
        below += a7 | b7 | c7 | d7 | e7 | f7 | g7;
        below += a8 | b8 | c8 | d8 | e8 | f8 | g8;
        below += a9 | b9 | c9 | d9 | e9 | f9 | g9;
        below += a10 | b10 | c10 | d10 | e10 | f10 | g10;
        below += a11 | b11 | c11 | d11 | e11 | f11 | g11;
        below += a12 | b12 | c12 | d12 | e12 | f12 | g12;
        below += a13 | b13 | c13 | d13 | e13 | f13 | g13;
        below += a14 | b14 | c14 | d14 | e14 | f14 | g14;
        below += a15 | b15 | c15 | d15 | e15 | f15 | g15;
        below += a16 | b16 | c16 | d16 | e16 | f16 | g16;
        below += a17 | b17 | c17 | d17 | e17 | f17 | g17;
        below += a18 | b18 | c18 | d18 | e18 | f18 | g18;
        below += a19 | b19 | c19 | d19 | e19 | f19 | g19;
        below += a20 | b20 | c20 | d20 | e20 | f20 | g20;
        below += a21 | b21 | c21 | d21 | e21 | f21 | g21;
        below += a22 | b22 | c22 | d22 | e22 | f22 | g22;
        below += a23 | b23 | c23 | d23 | e23 | f23 | g23;
        below += a24 | b24 | c24 | d24 | e24 | f24 | g24;
        below += a25 | b25 | c25 | d25 | e25 | f25 | g25;
        below += a26 | b26 | c26 | d26 | e26 | f26 | g26;
        below += a27 | b27 | c27 | d27 | e27 | f27 | g27;
        return below;
    }
}
