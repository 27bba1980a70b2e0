import { randomUUID } from 'node:crypto';
import type { ClientBase, Pool } from 'pg';
import type { z } from 'zod';
import { isLanguage, type Language } from '../../../messages/languages.ts';
import { ADDRESS_LINK_MS, ALERT_KINDS, type AlertKind, LEAVING_MS } from '../../../protocol/alerts.ts';
import type { Instant } from '../../../protocol/entities/recorded.ts';
import { refusal } from '../../../protocol/errors.ts';
import { requireUnlocked } from '../../../protocol/operations/beo-key-operation.ts';
import type { alertList } from '../../../protocol/read-responses.ts';
import { LIST_ALERTS, SET_ALERTS } from '../../../protocol/signing/alert-requests.ts';
import type { Json } from '../../../protocol/signing/canonical-json.ts';
import { lockBeoRow } from '../../entities/lock-beo.ts';
import { holderOf, type SignedReadParts, signedRead } from '../../entities/signed-read.ts';
import { available } from '../../platform/db/pool.ts';
import { runAll } from '../../platform/db/statement.ts';
import { inTransaction } from '../../platform/db/transaction.ts';
import { type AddressHashes, mailboxOf } from '../mail/address-hashes.ts';
import { type NewAlertMail, saveAlertMails } from '../mail/mail.ts';
import { hasOptedOut } from '../mail/opt-outs.ts';
import type { Vault } from '../vault/vault.ts';
import { deleteVaultRows, saveVaultRows } from '../vault/vault-rows.ts';
import { addressTokenHash, newAddressToken } from './address-link.ts';
import { type AddressRow, addressRow, readAddressRows, readSettings } from './alert-rows.ts';

type AlertList = z.output<typeof alertList>;

export interface AlertParts extends SignedReadParts {
  readonly vault: Vault;
  readonly addressHashes: AddressHashes;
  /** Null if no mail server is configured. */
  readonly outbox: object | null;
}

/** Addresses that were removed and still receive alerts of recoveries. More cannot be removed meanwhile. */
const MAX_LEAVING = 10;
/** Serializes the changes of one holder, with the hash of the holder's id. */
const CHANGE_LOCK = 7_305_039;

interface Address extends AddressRow {
  readonly address: string;
}

/**
 * Sets where alerts go, and to what; no ledger entry. A new address gets one mail with a link. A confirmed one that is removed is told, and
 * goes on receiving alerts of recoveries for 72 hours; those that stay are told of every change. Protocol §11.
 * @throws {ProtocolError} NOT_FOUND without a mail server, BEO_LOCKED, RECOVERY_COOLDOWN after too many removals
 */
export async function setAlerts(
  parts: AlertParts,
  body: Json,
  { address: client }: { readonly address: string },
): Promise<AlertList> {
  const { beo, request, publicKey, now } = await signedRead(parts, SET_ALERTS, body, holderOf(parts));
  if (!parts.outbox) throw refusal('NOT_FOUND', 'This service sends no mail, so it sends no alerts.');
  requireUnlocked(beo);
  const { addresses, kinds, language } = request.fields as unknown as Fields;
  if (language && !isLanguage(language)) {
    const message = 'is not a language of this service';
    throw refusal('VALIDATION_FAILED', `The field language ${message}.`, { issues: [{ path: 'language', message }] });
  }
  const wanted = { addresses, kinds: kinds ?? ALERT_KINDS, language: (language ?? 'en') as Language };
  const at = new Date(now).toISOString();
  const key = await available(() => parts.vault.ensureKey(parts.pool, beo.id));
  if (!key) throw refusal('BEO_DESTROYED');
  await available(() =>
    inTransaction(parts.pool, async (db) => {
      await db.query('SELECT pg_advisory_xact_lock($1, hashtext($2))', [CHANGE_LOCK, beo.id]);
      const locked = await lockBeoRow(db, beo.id);
      if (!locked) throw refusal('BEO_DESTROYED');
      if (locked.publicKey !== publicKey) throw refusal('INVALID_SIGNATURE', undefined, { expected_key: 'BEO' });
      await store(parts.vault, db, { ownerId: beo.id, key }, wanted, at, parts.addressHashes.source(client));
    }),
  );
  return readAlerts(parts, parts.pool, beo.id, now);
}

interface Fields {
  readonly addresses: readonly string[];
  readonly kinds: readonly AlertKind[] | null | undefined;
  readonly language: string | null | undefined;
}

interface Wanted {
  readonly addresses: readonly string[];
  readonly kinds: readonly AlertKind[];
  readonly language: Language;
}

interface Owner {
  readonly ownerId: string;
  readonly key: Buffer;
}

/** Compares with what is stored, and writes the difference and the mails about it, in the language that was set before. */
async function store(
  vault: Vault,
  db: ClientBase,
  { ownerId, key }: Owner,
  { addresses, kinds, language }: Wanted,
  at: Instant,
  source: Buffer,
): Promise<void> {
  const now = Date.parse(at);
  // So that none is confirmed meanwhile.
  await db.query('SELECT FROM alert_addresses WHERE owner_id = $1 FOR UPDATE', [ownerId]);
  const before = await readSettings(db, ownerId);
  const stored = await readAddresses(vault, db, ownerId, now);
  const wanted = new Map(addresses.map((address) => [mailboxOf(address), address]));
  const isWanted = ({ address }: Address) => wanted.has(mailboxOf(address));
  const removed = stored.filter((one) => !isWanted(one) && one.leavesAt === null);
  const leaving = removed.filter(({ confirmedAt }) => confirmedAt !== null);
  const alreadyLeaving = stored.filter(({ leavesAt }) => leavesAt !== null);
  const [first] = alreadyLeaving.flatMap(({ leavesAt }) => leavesAt ?? []).toSorted();
  if (first && alreadyLeaving.length + leaving.length > MAX_LEAVING) {
    throw refusal('RECOVERY_COOLDOWN', 'Too many addresses were removed in the last 72 hours.', { until: first });
  }
  const present = new Set(stored.filter(isWanted).map(({ address }) => mailboxOf(address)));
  const added = [...wanted].filter(([mailbox]) => !present.has(mailbox)).map(([, address]) => newAddress(address));

  const sealed = vault.sealRows(new Map([[ownerId, key]]), ownerId, added.map(asVaultRow));
  const pending = removed.filter(({ confirmedAt }) => confirmedAt === null).map(({ id }) => id);
  const isSame = before?.language === language && areEqual(before.kinds, kinds);
  const isChanged = before && (added.length > 0 || removed.length > 0 || !isSame);
  const told = isChanged ? stored.filter((one) => one.confirmedAt !== null && !leaving.includes(one)) : [];
  const mail = { ownerId, happenedAt: at, dueAt: at };
  const known = { ...mail, aboutId: randomUUID(), language: before?.language ?? language, source: null };
  const mails: readonly NewAlertMail[] = [
    ...added.map(({ id }) => ({
      ...mail,
      kind: 'alertConfirm' as const,
      addressId: id,
      aboutId: id,
      language,
      source,
    })),
    ...leaving.map(({ id }) => ({ ...known, kind: 'alertLeaving' as const, addressId: id })),
    ...told.map(({ id }) => ({ ...known, kind: 'alertChanged' as const, addressId: id })),
  ];
  await runAll(db, [
    {
      text: `INSERT INTO alert_settings (owner_id, kinds, language, watched_until) VALUES ($1, $2, $3, $4)
             ON CONFLICT (owner_id) DO UPDATE SET kinds = EXCLUDED.kinds, language = EXCLUDED.language`,
      values: [ownerId, kinds, language, at],
    },
    ...(sealed.rows.length > 0 ? [saveVaultRows(sealed.rows)] : []),
    ...(pending.length > 0 ? [deleteVaultRows(pending.map(addressRow))] : []),
    {
      text: `INSERT INTO alert_addresses (id, owner_id, token_hash, added_at)
             SELECT id, $1, token_hash, $4 FROM unnest($2::uuid[], $3::bytea[]) AS a (id, token_hash)`,
      values: [ownerId, added.map(({ id }) => id), added.map(({ token }) => addressTokenHash(token)), at],
    },
    { text: 'DELETE FROM alert_addresses WHERE id = ANY($1::uuid[])', values: [pending] },
    {
      text: `UPDATE alert_addresses SET leaves_at = CASE WHEN id = ANY($1::uuid[]) THEN $3::timestamptz END
             WHERE id = ANY($1::uuid[]) OR id = ANY($2::uuid[])`,
      values: [
        leaving.map(({ id }) => id),
        stored.filter(isWanted).map(({ id }) => id),
        new Date(now + LEAVING_MS).toISOString(),
      ],
    },
    ...(mails.length > 0 ? [saveAlertMails(mails)] : []),
  ]);
}

const newAddress = (address: string) => ({ id: randomUUID(), address, token: newAddressToken() });

const asVaultRow = ({ id, address, token }: ReturnType<typeof newAddress>) => ({
  id: addressRow(id),
  content: { address, token },
});

const areEqual = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((value) => other.includes(value));

/** Where alerts go, and to what, for the holder alone, LOCKED or not. @throws {ProtocolError} */
export async function listAlerts(parts: AlertParts, body: Json): Promise<AlertList> {
  const { beo, now } = await signedRead(parts, LIST_ALERTS, body, holderOf(parts));
  return readAlerts(parts, parts.pool, beo.id, now);
}

function readAlerts(parts: AlertParts, pool: Pool, ownerId: string, now: number): Promise<AlertList> {
  return available(async () => {
    const settings = await readSettings(pool, ownerId);
    const stored = await readAddresses(parts.vault, pool, ownerId, now);
    const isOptedOut = ({ address }: Address) => hasOptedOut(pool, parts.addressHashes.recipient(address));
    const addresses = stored.map(async (one) => {
      const { address, addedAt, confirmedAt, leavesAt } = one;
      const linkEnds = new Date(Date.parse(addedAt) + ADDRESS_LINK_MS).toISOString();
      return {
        address,
        // Whether an unconfirmed address refuses mail is not for whoever named it.
        status: await statusOf(one, isOptedOut),
        added_at: addedAt,
        confirmed_at: confirmedAt,
        ends_at: confirmedAt === null ? linkEnds : leavesAt,
      };
    });
    return {
      beo_id: ownerId,
      sends_mail: parts.outbox !== null,
      addresses: await Promise.all(addresses),
      kinds: ALERT_KINDS.filter((kind) => settings?.kinds.includes(kind) ?? true),
      language: settings?.language ?? null,
    };
  });
}

async function statusOf(one: Address, isOptedOut: (one: Address) => Promise<boolean>) {
  if (one.confirmedAt === null) return 'PENDING' as const;
  if (one.leavesAt !== null) return 'LEAVING' as const;
  return (await isOptedOut(one)) ? ('UNSUBSCRIBED' as const) : ('CONFIRMED' as const);
}

async function readAddresses(
  vault: Vault,
  db: Pick<Pool, 'query'>,
  ownerId: string,
  now: number,
): Promise<readonly Address[]> {
  const rows = await readAddressRows(db, ownerId, now);
  const contents = await vault.readRows(
    db,
    ownerId,
    rows.map(({ id }) => addressRow(id)),
  );
  return rows.flatMap((row) => {
    const content = contents.get(addressRow(row.id)) as { address: string } | undefined;
    return content ? [{ ...row, address: content.address }] : [];
  });
}
