import { z } from 'zod';
import { sha256 } from '#digests';
import type { Json } from './canonical-json.ts';
import type { Digestible } from './digests.ts';
import { type ProtocolError, refusal } from './errors.ts';
import { isObject, type JsonObject } from './message.ts';
import { recordProblem } from './record-problems.ts';
import type { Instant } from './recorded.ts';
import { hasDirectionControls, instant } from './shapes.ts';
import { categoryOf, levelOf } from './taxonomy.ts';

export const MAX_RECORDS = 100;
/** Of one record in canonical JSON, in bytes: pages of records must fit into memory. */
export const MAX_RECORD_BYTES = 64 * 1024;
/** How far ahead of the service's clock a measurement may lie. Protocol §8. */
export const COLLECTED_AHEAD_MS = 60_000;

/** Characters of a client's own id of a record that `supersedes` can name. */
export const MAX_RECORD_ID = 500;

export type RecordStatus = 'ACTIVE' | 'SUPERSEDED';

/** A record as it is read and exported (protocol §8); what else the submitter sent stays with it. */
export interface BioRecord {
  readonly record_id: string;
  readonly beo_id: string;
  readonly ieo_id: string;
  readonly biomarker: string;
  readonly category: string;
  readonly level: string;
  /** Exactly as it was sent: number, string or object. */
  readonly value: Json;
  readonly unit: string;
  readonly collected_at: Instant;
  readonly submitted_at: Instant;
  readonly ref_range: JsonObject | null;
  /** 0 to 1. */
  readonly confidence: number | null;
  readonly source: JsonObject & { readonly ieo_id: string; readonly ieo_domain: string };
  /** The record that this one corrects. */
  readonly supersedes: string | null;
  readonly version: string;
  readonly status: RecordStatus;
  /** Hex SHA-256 of the canonical JSON as submitted. */
  readonly data_hash: string;
  /** The entry that it was submitted with. */
  readonly arweave_tx: string;
  readonly [extra: string]: Json;
}

const shortText = z.string({ error: recordProblem('text') }).max(500, recordProblem('atMost', { most: '500' }));
const rangeNumber = z.number({ error: recordProblem('number') }).nullish();
const rangeText = shortText.nullish();

const REF_RANGE_TEXTS = ['optimal', 'functional', 'deficiency', 'toxicity', 'unit', 'population'] as const;
const REF_RANGE_NUMBERS = ['optimal', 'functional', 'deficiency', 'toxicity', 'critical'].flatMap((name) => [
  `${name}_low`,
  `${name}_high`,
]);

const refRange = z.strictObject(
  {
    ...Object.fromEntries(REF_RANGE_TEXTS.map((name) => [name, rangeText])),
    ...Object.fromEntries(REF_RANGE_NUMBERS.map((name) => [name, rangeNumber])),
  },
  { error: recordProblem('ranges') },
);

/** What a submitter says of one measurement. Other members are kept with it. Protocol §8. */
export const submittedRecord = z.looseObject(
  {
    biomarker: z.string({ error: recordProblem('biomarker') }),
    value: z.union(
      [
        z.number(),
        z
          .string()
          .min(1, recordProblem('empty'))
          .max(10_000, recordProblem('atMost', { most: '10 000' })),
        // Of any depth: what comes out of a parsed body is JSON.
        z.record(z.string(), z.custom<Json>()),
      ],
      {
        error: recordProblem('value'),
      },
    ),
    unit: z
      .string({ error: recordProblem('missing') })
      .max(60, recordProblem('atMost', { most: '60' }))
      .refine((unit) => unit.trim().length > 0, recordProblem('missing')),
    collected_at: z.unknown().optional(),
    timestamp: z.unknown().optional(),
    category: shortText.nullish(),
    level: shortText.nullish(),
    ref_range: refRange.nullish(),
    confidence: z
      .number({ error: recordProblem('confidence') })
      .min(0, recordProblem('confidence'))
      .max(1, recordProblem('confidence'))
      .nullish(),
    source: z.looseObject({}, { error: recordProblem('object') }).nullish(),
    supersedes: z
      .string({ error: recordProblem('id') })
      .max(MAX_RECORD_ID, recordProblem('atMost', { most: String(MAX_RECORD_ID) }))
      .nullish(),
    version: shortText.nullish(),
    beo_id: shortText.nullish(),
    ieo_id: shortText.nullish(),
    ieo_domain: shortText.nullish(),
  },
  { error: recordProblem('object') },
);

export type SubmittedRecord = z.infer<typeof submittedRecord>;

type Sent = Readonly<Record<string, unknown>>;

const isAbsent = (value: unknown): boolean => value === undefined || value === null || value === '';

/** The member that says when a record was collected: some clients send `timestamp` in place of `collected_at`. Protocol §8. */
export const timeMemberOf = (sent: Sent): 'collected_at' | 'timestamp' =>
  isAbsent(sent.collected_at) && !isAbsent(sent.timestamp) ? 'timestamp' : 'collected_at';

/** When a record was collected, as it was sent; null where that is not a text. */
export function collectedAtOf(sent: Sent): string | null {
  const text = sent[timeMemberOf(sent)];
  return typeof text === 'string' ? text : null;
}

/** The client's own id of a record, whatever it is: `record_id` as sent, for the service assigns one under that name. Protocol §8. */
export const clientRecordIdOf = (sent: Sent): unknown =>
  isAbsent(sent.record_id) ? sent.client_record_id : sent.record_id;

/** What is wrong with one record of a batch; `message` is one of RECORD_PROBLEMS. */
export interface RecordIssue {
  readonly index: number;
  readonly path: string;
  readonly message: string;
}

/**
 * Everything that is wrong with a batch by itself: shape, codes, what the submitter says of category and level. Whose it is, what
 * time it is and what the token covers, is asked later. Records at the places `except` are left out.
 */
export function recordIssues(records: readonly Json[], except: ReadonlySet<number> = NONE): RecordIssue[] {
  return records.flatMap((record, index) => {
    if (except.has(index)) return [];
    const parsed = submittedRecord.safeParse(record);
    const issues = parsed.success ? taxonomyIssues(parsed.data) : parsed.error.issues.flatMap(shapeIssues);
    const all = [
      ...issues,
      ...(isObject(record) ? timeIssues(record) : []),
      ...(containsDirectionControls(record) ? directionIssues(record) : []),
    ];
    return all.map((issue) => ({ index, ...issue }));
  });
}

const NONE: ReadonlySet<number> = new Set();

/** Whether `directionIssues` finds anything, without the cost of its paths. */
function containsDirectionControls(value: Json): boolean {
  if (typeof value === 'string') return hasDirectionControls(value);
  if (value === null || typeof value !== 'object') return false;
  if (Array.isArray(value)) return value.some(containsDirectionControls);
  for (const name in value) {
    if (hasDirectionControls(name) || containsDirectionControls((value as JsonObject)[name] as Json)) return true;
  }
  return false;
}

/** Of the members that a range does not have, so many are named: an answer must not be much larger than its request. */
const MAX_REPORTED = 5;

function shapeIssues(issue: z.core.$ZodIssue): Omit<RecordIssue, 'index'>[] {
  const path = issue.path.join('.');
  if (issue.code !== 'unrecognized_keys') return [{ path, message: issue.message }];
  const named = issue.keys.slice(0, MAX_REPORTED).map((name) => `${path}.${name.slice(0, 100)}`);
  return named.map((path) => ({ path, message: recordProblem('rangeMember') }));
}

function timeIssues(record: Sent): Omit<RecordIssue, 'index'>[] {
  const member = timeMemberOf(record);
  const issues = instant.safeParse(record[member]).error?.issues ?? [];
  return issues.map(({ message }) => ({ path: member, message }));
}

/** Texts anywhere in a record, the names of its members included, that show what they say in another order. */
function directionIssues(value: Json, path = ''): Omit<RecordIssue, 'index'>[] {
  const turned = [{ path, message: recordProblem('turned') }];
  if (typeof value === 'string') return hasDirectionControls(value) ? turned : [];
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([name, member]) =>
    hasDirectionControls(name) ? turned : directionIssues(member as Json, path ? `${path}.${name}` : name),
  );
}

/** The refusal that names every bad record of a batch. */
export function invalidRecords(issues: readonly RecordIssue[], count: number): ProtocolError {
  const bad = new Set(issues.map(({ index }) => index)).size;
  const sentence = `Of ${count} ${count === 1 ? 'record' : 'records'} ${bad} ${bad === 1 ? 'is' : 'are'} not valid; none was stored.`;
  return refusal('RECORD_INVALID', sentence, { records: issues });
}

function taxonomyIssues({ biomarker, category, level }: SubmittedRecord): Omit<RecordIssue, 'index'>[] {
  const known = classifyBiomarker(biomarker);
  if (!known) return [{ path: 'biomarker', message: recordProblem('code') }];
  const said = [
    ['category', category, known.category],
    ['level', level, known.level],
  ] as const;
  return said.flatMap(([path, value, right]) =>
    value && value !== right ? [{ path, message: recordProblem('belongs', { right, biomarker }) }] : [],
  );
}

/** The category and level of a biomarker; null for a code that cannot be one. */
export function classifyBiomarker(biomarker: string): { readonly category: string; readonly level: string } | null {
  const category = categoryOf(biomarker);
  const level = category === null ? null : levelOf(category);
  return category === null || level === null ? null : { category, level };
}

/** Hex SHA-256(salt ‖ canonical JSON of the record as submitted, in UTF-8): what the ledger shows of a record. Protocol §10. */
export const commitmentOf = (salt: Uint8Array, canonical: Digestible): string => sha256(salt, canonical);
