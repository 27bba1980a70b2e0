import type { Audit } from './audit.ts';

/** What the network does not have although the published maximum has passed; `now` in ms. */
export function overdue({ findings, firstBeyond }: Audit, maxDelayMs: number, now: number): void {
  if (!firstBeyond) return;
  const waited = now - Date.parse(firstBeyond.acceptedAt);
  if (waited <= maxDelayMs) return;
  const sentence = `It was accepted at ${firstBeyond.acceptedAt} and is still not on the network, after ${Math.round(waited / 1000)} seconds.`;
  findings.add({ kind: 'LATE_POSTING', sentence }, firstBeyond);
}
