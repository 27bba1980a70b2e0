/** An institution that was registered in this tab and whose key this browser does not keep yet. Both members are public. */
export interface KeptRegistration {
  readonly domain: string;
  readonly ieoId: string;
}

const STORAGE_NAME = 'perpetua-registered';

/** Lets a reload continue after the registration. Does nothing where the browser refuses to store: the key can be imported later. */
export function writeRegistration(registration: KeptRegistration | null): void {
  try {
    if (registration) sessionStorage.setItem(STORAGE_NAME, JSON.stringify(registration));
    else sessionStorage.removeItem(STORAGE_NAME);
  } catch {}
}

export function readRegistration(): KeptRegistration | null {
  try {
    const { domain, ieoId }: Partial<KeptRegistration> = JSON.parse(sessionStorage.getItem(STORAGE_NAME) ?? '{}');
    return typeof domain === 'string' && typeof ieoId === 'string' ? { domain, ieoId } : null;
  } catch {
    return null;
  }
}
