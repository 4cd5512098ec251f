package io.hasp.packaging;

import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Date;
import java.util.List;
import org.bouncycastle.bcpg.ArmoredInputStream;
import org.bouncycastle.bcpg.ArmoredOutputStream;
import org.bouncycastle.bcpg.HashAlgorithmTags;
import org.bouncycastle.bcpg.PublicKeyAlgorithmTags;
import org.bouncycastle.bcpg.PublicKeyPacket;
import org.bouncycastle.bcpg.SymmetricKeyAlgorithmTags;
import org.bouncycastle.crypto.generators.RSAKeyPairGenerator;
import org.bouncycastle.crypto.params.RSAKeyGenerationParameters;
import org.bouncycastle.openpgp.PGPException;
import org.bouncycastle.openpgp.PGPPublicKey;
import org.bouncycastle.openpgp.PGPSecretKey;
import org.bouncycastle.openpgp.PGPSecretKeyRing;
import org.bouncycastle.openpgp.PGPSignature;
import org.bouncycastle.openpgp.PGPSignatureList;
import org.bouncycastle.openpgp.bc.BcPGPObjectFactory;
import org.bouncycastle.openpgp.operator.PGPDigestCalculator;
import org.bouncycastle.openpgp.operator.bc.BcKeyFingerprintCalculator;
import org.bouncycastle.openpgp.operator.bc.BcPBESecretKeyEncryptorBuilder;
import org.bouncycastle.openpgp.operator.bc.BcPGPContentSignerBuilder;
import org.bouncycastle.openpgp.operator.bc.BcPGPContentVerifierBuilderProvider;
import org.bouncycastle.openpgp.operator.bc.BcPGPDigestCalculatorProvider;
import org.bouncycastle.openpgp.operator.bc.BcPGPKeyPair;

/** A key to sign with. */
record SigningKey(PGPSecretKeyRing keys, String passphrase) {
    /** Of a release that is about to be published: as Maven's plugin gets it. */
    static SigningKey read(String armored) throws IOException, PGPException {
        byte[] text = armored.getBytes(StandardCharsets.US_ASCII);
        return new SigningKey(
                new PGPSecretKeyRing(
                        new ArmoredInputStream(new ByteArrayInputStream(text)), new BcKeyFingerprintCalculator()),
                "");
    }

    /** Made for one test. */
    @SuppressWarnings("JavaUtilDate") // The library takes no other time.
    static SigningKey create(String passphrase) throws PGPException {
        RSAKeyPairGenerator generator = new RSAKeyPairGenerator();
        generator.init(new RSAKeyGenerationParameters(BigInteger.valueOf(0x10001), new SecureRandom(), 2048, 80));
        PGPDigestCalculator sha1 = new BcPGPDigestCalculatorProvider().get(HashAlgorithmTags.SHA1);
        return new SigningKey(
                new PGPSecretKeyRing(List.of(new PGPSecretKey(
                        PGPSignature.POSITIVE_CERTIFICATION,
                        new BcPGPKeyPair(
                                PublicKeyPacket.VERSION_4,
                                PublicKeyAlgorithmTags.RSA_GENERAL,
                                generator.generateKeyPair(),
                                new Date()),
                        "Test of a release",
                        sha1,
                        null,
                        null,
                        new BcPGPContentSignerBuilder(PublicKeyAlgorithmTags.RSA_GENERAL, HashAlgorithmTags.SHA256),
                        new BcPBESecretKeyEncryptorBuilder(SymmetricKeyAlgorithmTags.AES_256, sha1)
                                .build(passphrase.toCharArray())))),
                passphrase);
    }

    /** As Maven's plugin expects it in its environment. */
    String armored() throws IOException {
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        try (ArmoredOutputStream armor = ArmoredOutputStream.builder().build(text)) {
            keys.encode(armor);
        }
        return text.toString(StandardCharsets.US_ASCII);
    }

    /** True if the signature is one of this file by this key. */
    boolean signed(Path file, Path signature) throws IOException {
        try (InputStream in = new ArmoredInputStream(new BufferedInputStream(Files.newInputStream(signature)))) {
            if (!(new BcPGPObjectFactory(in).nextObject() instanceof PGPSignatureList signatures)) {
                return false;
            }
            PGPSignature first = signatures.get(0);
            PGPPublicKey key = keys.getPublicKey(first.getKeyID());
            if (key == null) {
                return false;
            }
            first.init(new BcPGPContentVerifierBuilderProvider(), key);
            first.update(Files.readAllBytes(file));
            return first.verify();
        } catch (PGPException e) {
            return false;
        }
    }
}
