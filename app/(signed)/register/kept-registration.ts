/** What was registered from this tab and is not yet kept in this browser: both public. */
export interface Registered {
  readonly domain: string;
  readonly ieoId: string;
}

const NAME = 'perpetua-registered';

/** So that a reload between the two goes on where it was. Quiet where the browser keeps nothing. */
export function rememberRegistered(registered: Registered | null): void {
  try {
    if (registered) sessionStorage.setItem(NAME, JSON.stringify(registered));
    else sessionStorage.removeItem(NAME);
  } catch {
    // A browser that keeps nothing asks for the key on the page for bringing one.
  }
}

export function registeredBefore(): Registered | null {
  try {
    const { domain, ieoId }: Partial<Registered> = JSON.parse(sessionStorage.getItem(NAME) ?? '{}');
    return typeof domain === 'string' && typeof ieoId === 'string' ? { domain, ieoId } : null;
  } catch {
    return null;
  }
}
