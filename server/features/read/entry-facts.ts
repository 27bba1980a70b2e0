import type { Pool } from 'pg';
import { DAY_MS } from '../../../protocol/days.ts';
import { THRESHOLD } from '../../../protocol/entities/guardian.ts';
import { type IeoType, ieoTypeOf } from '../../../protocol/entities/ieo.ts';
import { INTENT_NAMES, type Intent, intentOf } from '../../../protocol/entities/intents.ts';
import type { Json } from '../../../protocol/signing/canonical-json.ts';
import type { EntryFacts, FactsByFunction, ProposalFacts, StatedFunction } from '../../../protocol/stated-facts.ts';
import type { EntrySummary } from '../../ledger/read.ts';
import { available } from '../../platform/db/pool.ts';
import { contentOf, type DecodedEntry, listOf, objectOf, statedBy, textOf } from './decoded-entry.ts';
import { type Context, certificationIn, contactsIn, readContext } from './entry-context.ts';
import type { Named } from './name-entries.ts';

export type Stated<Entry> = Entry & { readonly facts: EntryFacts | null };

interface Parts {
  readonly listPool: Pool;
}

/** Larger items are not read for a list: those of records, which may have a megabyte of ciphertext. */
const MAX_ITEM_BYTES = 64 * 1024;

/** Adds what each entry states: from the entry itself and, where it replaced something, from the entries before it. */
export async function stateEntries<Entry extends Named<EntrySummary>>(
  { listPool }: Parts,
  entries: readonly Entry[],
): Promise<Stated<Entry>[]> {
  const wanted = entries.filter(({ function: name }) => isStated(name)).map(({ seq }) => seq);
  if (wanted.length === 0) return entries.map((entry) => ({ ...entry, facts: null }));
  const { rows } = await available(() =>
    listPool.query<{ seq: number; item: Buffer }>({
      name: 'items-of-entries',
      text: 'SELECT seq, item FROM ledger_entries WHERE seq = ANY ($1::bigint[]) AND octet_length(item) <= $2',
      values: [wanted, MAX_ITEM_BYTES],
    }),
  );
  const contents = new Map(rows.map(({ seq, item }) => [seq, contentOf(item)]));
  const decoded = entries.flatMap((entry) => {
    const content = contents.get(entry.seq);
    return content ? [{ ...entry, content }] : [];
  });
  const context = await readContext(listPool, decoded);
  const facts = new Map(decoded.map((entry) => [entry.seq, factsOf(entry, context)]));
  return entries.map((entry) => ({ ...entry, facts: facts.get(entry.seq) ?? null }));
}

const isStated = (name: string): name is StatedFunction => Object.hasOwn(FACTS, name);

function factsOf(entry: DecodedEntry, context: Context): EntryFacts | null {
  if (!isStated(entry.function)) return null;
  const facts = FACTS[entry.function](entry, context);
  // The types do not show that the facts are those of this function.
  return facts && ({ function: entry.function, ...facts } as EntryFacts);
}

type Reader<Function extends StatedFunction> = (
  entry: DecodedEntry,
  context: Context,
) => FactsByFunction[Function] | null;

const intentsIn = (values: readonly Json[]): Intent[] =>
  values.flatMap((value) => INTENT_NAMES.filter((name) => name === value)).map((name) => intentOf(name));

function proposalFacts(entry: DecodedEntry, context: Context): ProposalFacts | null {
  const proposal = context.proposal(entry);
  const domain = entry.subject?.domain;
  if (!proposal || !domain) return null;
  const { decision, executedBy } = proposal;
  const isChange = decision.action === 'changeCertLevel';
  return {
    action: decision.action,
    domain,
    isExecuted: executedBy === entry.seq,
    certification: isChange ? certificationIn({ ...decision.params }) : null,
    before: isChange ? context.certificationBefore(entry) : null,
  };
}

/** Each reads the fields that the operation's file declares. */
const FACTS: { readonly [Function in StatedFunction]: Reader<Function> } = {
  createIEO: ({ content }) => ({ ieoType: ieoTypeOf(statedBy(content).ieoType as IeoType) }),
  rotateKey({ content }) {
    const key = textOf(statedBy(content).newPublicKey);
    return content.signer === null || key === null ? null : { before: content.signer, key: key.toLowerCase() };
  },
  updateRecovery: ({ content }) => ({ guardians: listOf(statedBy(content).guardians).length }),
  confirmRecovery(entry, context) {
    const confirmations = context.confirmations(entry);
    if (confirmations === null) return null;
    return { confirmations, isExecuted: confirmations >= THRESHOLD && context.isRecoveredSince(entry) };
  },
  updateContacts: (entry, context) => ({
    contacts: contactsIn(statedBy(entry.content)),
    before: context.contactsBefore(entry),
  }),
  grantConsent({ content, subject, accepted_at }) {
    const { scope, expiresInDays } = statedBy(content);
    const grantee = subject?.grantee ?? null;
    return {
      grantee,
      isSelf: grantee !== null && grantee === subject?.domain,
      intents: intentsIn(listOf(objectOf(scope).intents)),
      until:
        typeof expiresInDays === 'number'
          ? new Date(Date.parse(accepted_at) + expiresInDays * DAY_MS).toISOString()
          : null,
    };
  },
  revokeToken: ({ subject }) => (subject?.grantee ? { grantee: subject.grantee } : null),
  revokeAllFromIEO({ content }, context) {
    const grantee = context.domainOf(textOf(statedBy(content).ieoId));
    return grantee === null ? null : { grantee };
  },
  revokeByIntent({ content }) {
    const [intent] = intentsIn([statedBy(content).intent ?? null]);
    return intent ? { intent } : null;
  },
  submitRecords: ({ content, subject }) => ({
    grantee: subject?.grantee ?? null,
    records: listOf(statedBy(content).commitments).length,
  }),
  openProposal: proposalFacts,
  approveProposal: proposalFacts,
  updateCertification: (entry, context) => ({
    certification: certificationIn(statedBy(entry.content)),
    before: context.certificationBefore(entry),
  }),
  beginEpoch({ content }) {
    const { last } = statedBy(content);
    return typeof last === 'number' ? { last } : null;
  },
};
