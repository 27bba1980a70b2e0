'use client';

import { useEffect, useState } from 'react';

/** Whether a passkey can be offered; null until that is checked. */
export function usePasskeys(): boolean | null {
  const [can, setCan] = useState<boolean | null>(null);
  useEffect(() => {
    let cancelled = false;
    canUsePasskeys().then(
      (found) => cancelled || setCan(found),
      () => cancelled || setCan(false),
    );
    return () => {
      cancelled = true;
    };
  }, []);
  return can;
}

/** Whether to offer a passkey: a secure page with a host name, and an authenticator that verifies its user. */
async function canUsePasskeys(): Promise<boolean> {
  if (!globalThis.PublicKeyCredential || !isSecureContext || !isName(location.hostname)) return false;
  const told = await PublicKeyCredential.getClientCapabilities?.().catch(() => null);
  if (told && told['extension:prf'] === false) return false;
  return PublicKeyCredential.isUserVerifyingPlatformAuthenticatorAvailable().catch(() => false);
}

/** A passkey belongs to a host name; an IP address has none. */
const isName = (host: string): boolean => !/^[\d.]+$/.test(host) && !host.includes(':');
