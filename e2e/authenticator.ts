import type { Page } from '@playwright/test';

/** The authenticator of a browser, as phones and laptops have one. */
export interface Authenticator {
  /** The person fails its check from now on, until it blocks: a prompt ends as if it were closed. */
  refuse(): Promise<void>;
  /** The number of its passkeys. */
  count(): Promise<number>;
  /** Deletes its passkeys. */
  clear(): Promise<void>;
  /** Puts another one in its place, with the same passkeys but without the secrets of their PRF. */
  replace(hasPrf: boolean): Promise<void>;
}

export async function addAuthenticator(page: Page, hasPrf: boolean): Promise<Authenticator> {
  const client = await page.context().newCDPSession(page);
  await client.send('WebAuthn.enable');
  const add = async (hasPrf: boolean): Promise<string> => {
    const { authenticatorId } = await client.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        ctap2Version: 'ctap2_1',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        hasPrf,
        automaticPresenceSimulation: true,
      },
    });
    return authenticatorId;
  };
  let authenticatorId = await add(hasPrf);
  return {
    async refuse() {
      await client.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false });
    },
    async count() {
      const { credentials } = await client.send('WebAuthn.getCredentials', { authenticatorId });
      return credentials.length;
    },
    async clear() {
      await client.send('WebAuthn.clearCredentials', { authenticatorId });
    },
    async replace(hasPrf) {
      const { credentials } = await client.send('WebAuthn.getCredentials', { authenticatorId });
      await client.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId });
      authenticatorId = await add(hasPrf);
      for (const credential of credentials)
        await client.send('WebAuthn.addCredential', { authenticatorId, credential });
    },
  };
}
