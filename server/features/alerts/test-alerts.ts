import { expect } from 'vitest';
import { createClock } from '../../platform/db/clock.ts';
import { freePort } from '../../platform/listening/free-port.ts';
import { startTestService, type TestService } from '../../testing/test-service.ts';
import type { Fields, Party } from '../../write/test-parties.ts';
import { type Guardians, guardiansOf } from '../guardians/test-guardians.ts';
import { type ReceivedMail, startMailServer, type TestMailServer } from '../mail/test-mail-server.ts';

export const MINUTE = 60_000;
const POLL = { timeout: 60_000, interval: 50 };

/** A service that sends mail, with a clock that a test moves. Its mail server runs for one test. */
export async function startAlertService() {
  let shift = 0;
  const port = await freePort();
  const env = { SMTP_URL: `smtp://127.0.0.1:${port}`, MAIL_FROM: 'Perpetua <alerts@example.org>' };
  const service: TestService = await startTestService(env, { clock: createClock(Date.now, () => shift) });
  const now = () => Date.now() + shift;
  const guardians: Guardians = guardiansOf(service, now);
  const { pool } = service.service.context;
  let mailServer: TestMailServer | null = null;
  const signed = ({ person, id }: Party, name: string, fields: Fields) =>
    guardians.sign(person, name, { beoId: id, ...fields });

  /** Waits until everything that happened was searched, and every mail that is due was sent or dropped. */
  async function settled(): Promise<void> {
    await expect
      .poll(async () => {
        const { rows } = await pool.query<{ left: string }>(
          `SELECT (SELECT count(*) FROM alert_search s, ledger_head h WHERE s.seq < h.seq)
             + (SELECT count(*) FROM recovery_requests WHERE alerted IS NULL)
             + (SELECT count(*) FROM alert_mails WHERE due_at <= $1) AS left`,
          [new Date(now())],
        );
        return Number(rows[0]?.left);
      }, POLL)
      .toBe(0);
  }

  /** In any spelling of the address. */
  const received = (address: string): readonly ReceivedMail[] =>
    (mailServer?.received ?? []).filter(({ to }) => to.some((one) => one.toLowerCase() === address));

  return {
    service,
    guardians,
    pool,
    now,
    settled,
    received,
    advance(ms: number) {
      shift += ms;
    },
    /** To be called before each test. A day later, so that no limit of another test counts. */
    async openMailbox() {
      mailServer = await startMailServer({ port });
      shift += 25 * 60 * MINUTE;
    },
    set: (holder: Party, addresses: readonly string[], more: Fields = {}) =>
      service.post('/api/alerts', signed(holder, 'setAlerts', { addresses: [...addresses], ...more })),
    list: async (holder: Party) => (await service.post('/api/alerts/list', signed(holder, 'listAlerts', {}))).body,
    signed,
    linkFor(address: string): string {
      const link = /https?:\/\/\S+\/a\/([\w-]{43})(?=\s)/.exec(received(address).at(-1)?.email.text ?? '')?.[1];
      expect(link, `a link to ${address}`).toBeDefined();
      return `/api/alerts/confirm/${link}`;
    },
    /** A holder whose alerts go to an address that was confirmed. */
    async alerted(holder: Party, address: string, more: Fields = {}): Promise<void> {
      const before = (await this.list(holder)).addresses.map((one: { address: string }) => one.address);
      expect((await this.set(holder, [...before, address], more)).status).toBe(200);
      await settled();
      expect((await service.post(this.linkFor(address), {})).status).toBe(200);
    },
    subjects: (address: string) => received(address).map(({ email }) => email.subject),
  };
}

export type AlertService = Awaited<ReturnType<typeof startAlertService>>;
