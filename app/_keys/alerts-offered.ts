const keyOf = (id: string): string => `perpetua-alerts-offered-${id}`;

/** Whether the holder has seen the page about alerts in this browser, so that it is not offered again. */
export function wereAlertsOffered(id: string): boolean {
  try {
    return localStorage.getItem(keyOf(id)) !== null;
  } catch {
    return true;
  }
}

export function keepAlertsOffered(id: string): void {
  try {
    localStorage.setItem(keyOf(id), '1');
  } catch {
    // Without storage they are not offered.
  }
}

export function forgetAlertsOffered(id: string): void {
  try {
    localStorage.removeItem(keyOf(id));
  } catch {
    // Without storage there is nothing to forget.
  }
}
