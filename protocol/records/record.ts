import { z } from 'zod';
import { parseCollected } from '../clinical/collected.ts';
import type { Day } from '../days.ts';
import type { Instant } from '../entities/recorded.ts';
import { type ProtocolError, refusal } from '../errors.ts';
import { describedBy, hasDirectionControls } from '../shapes.ts';
import { isObject, type Json } from '../signing/canonical-json.ts';
import type { JsonObject } from '../signing/message.ts';
import { recordProblem } from './record-problems.ts';
import { timeMemberOf } from './submitted.ts';
import { categoryOf, levelOf } from './taxonomy.ts';

export const MAX_RECORDS = 100;
/** Size limit of a record in canonical JSON, in bytes: a page of records must fit into memory. */
export const MAX_RECORD_BYTES = 64 * 1024;
/** Of the JSON of a batch. Other requests have smaller bodies. */
export const MAX_BATCH_BYTES = 1024 * 1024;
/** Maximum time by which collected_at may be ahead of the service's clock. Protocol §8. */
export const COLLECTED_AHEAD_MS = 60_000;

/** Maximum number of characters of a client's own record id in `supersedes`. */
export const MAX_RECORD_ID = 500;

export type RecordStatus = 'ACTIVE' | 'SUPERSEDED';

/** A record as the API returns and exports it (protocol §8), with the other members that the submitter sent. */
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
  readonly collected_at: Instant | Day;
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
  /** The transaction id of the entry that submitted it. */
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

/** Checked by `timeIssues`, which knows both members. */
const timeText = (description: string) => z.string().nullable().describe(description);

/** A record as it is submitted. Other members are kept. Protocol §8. */
export const submittedRecord = z
  .looseObject(
    {
      biomarker: z.string({ error: recordProblem('biomarker') }).describe('A code like BSP-CV-001.'),
      value: z.union(
        [
          z.number(),
          z
            .string()
            .min(1, recordProblem('empty'))
            .max(10_000, recordProblem('atMost', { most: '10 000' })),
          // The members are not checked: a parsed body contains only JSON values.
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
      collected_at: describedBy(
        z.unknown().optional(),
        timeText('When it was measured: ISO 8601 with a zone, or a day such as 2026-11-20.'),
      ),
      timestamp: describedBy(z.unknown().optional(), timeText('Read if collected_at is absent, null or empty.')),
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
  )
  .meta({ id: 'SubmittedRecord', description: 'A health record as it is submitted. Other members are kept.' });

export type SubmittedRecord = z.infer<typeof submittedRecord>;

type Sent = Readonly<Record<string, unknown>>;

/** A problem of a record in a batch; `message` is one of RECORD_PROBLEMS. */
export interface RecordIssue {
  readonly index: number;
  readonly path: string;
  readonly message: string;
}

/**
 * All problems of a batch that need no context: form, codes, category and level. Its subjects, the time and the scope of the token
 * are checked later. Skips the records at the indexes in `except`.
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

/** Whether `directionIssues` would find an issue; faster, because it builds no paths. */
function containsDirectionControls(value: Json): boolean {
  if (typeof value === 'string') return hasDirectionControls(value);
  if (value === null || typeof value !== 'object') return false;
  if (Array.isArray(value)) return value.some(containsDirectionControls);
  for (const name in value) {
    if (hasDirectionControls(name) || containsDirectionControls((value as JsonObject)[name] as Json)) return true;
  }
  return false;
}

/** Limits of the unknown members and of the direction controls reported per record: a small request must not cause a large response. */
const MAX_REPORTED = 5;
const MAX_PATH = 200;

function shapeIssues(issue: z.core.$ZodIssue): Omit<RecordIssue, 'index'>[] {
  const path = issue.path.join('.');
  if (issue.code !== 'unrecognized_keys') return [{ path, message: issue.message }];
  const named = issue.keys.slice(0, MAX_REPORTED).map((name) => `${path}.${name.slice(0, 100)}`);
  return named.map((path) => ({ path, message: recordProblem('rangeMember') }));
}

function timeIssues(record: Sent): Omit<RecordIssue, 'index'>[] {
  const member = timeMemberOf(record);
  const text = record[member];
  if (typeof text !== 'string') return [{ path: member, message: recordProblem('moment') }];
  return parseCollected(text) === null ? [{ path: member, message: recordProblem('collected') }] : [];
}

function directionIssues(record: Json): Omit<RecordIssue, 'index'>[] {
  const issues = [];
  for (const path of pathsWithDirectionControls(record)) {
    issues.push({ path: path.slice(0, MAX_PATH), message: recordProblem('direction') });
    if (issues.length === MAX_REPORTED) break;
  }
  return issues;
}

/** The strings in a value, including member names, with characters that change the display order of text. */
function* pathsWithDirectionControls(value: Json, path = ''): Generator<string> {
  if (typeof value === 'string' && hasDirectionControls(value)) yield path;
  if (value === null || typeof value !== 'object') return;
  for (const [name, member] of Object.entries(value)) {
    if (hasDirectionControls(name)) yield path;
    else yield* pathsWithDirectionControls(member as Json, path ? `${path}.${name}` : name);
  }
}

/** The error that lists every invalid record of a batch. */
export function invalidRecords(issues: readonly RecordIssue[], count: number): ProtocolError {
  const invalid = new Set(issues.map(({ index }) => index)).size;
  const sentence = `Of ${count} ${count === 1 ? 'record' : 'records'} ${invalid} ${invalid === 1 ? 'is' : 'are'} not valid; none was stored.`;
  return refusal('RECORD_INVALID', sentence, { records: issues });
}

function taxonomyIssues({ biomarker, category, level }: SubmittedRecord): Omit<RecordIssue, 'index'>[] {
  const expected = classifyBiomarker(biomarker);
  if (!expected) return [{ path: 'biomarker', message: recordProblem('code') }];
  const members = [
    ['category', category, expected.category],
    ['level', level, expected.level],
  ] as const;
  return members.flatMap(([path, value, right]) =>
    value && value !== right ? [{ path, message: recordProblem('belongs', { right, biomarker }) }] : [],
  );
}

/** The category and level of a biomarker; null if the code names no category. */
export function classifyBiomarker(biomarker: string): { readonly category: string; readonly level: string } | null {
  const category = categoryOf(biomarker);
  const level = category === null ? null : levelOf(category);
  return category === null || level === null ? null : { category, level };
}
