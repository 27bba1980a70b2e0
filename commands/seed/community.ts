import type { Operations } from '../../client/types.ts';
import type { IeoType } from '../../protocol/entities/ieo.ts';

/** What the seed command creates. Domains get the service's suffix and, from the second run on, a number. */

export interface SeedPerson {
  readonly name: string;
  readonly domain: string;
}

export const PERSON_KEYS = ['ana', 'bruno', 'carla', 'daniel', 'elena', 'felix'] as const;
export type PersonKey = (typeof PERSON_KEYS)[number];

export const PEOPLE: Readonly<Record<PersonKey, SeedPerson>> = {
  ana: { name: 'Ana Souza', domain: 'ana-souza' },
  bruno: { name: 'Bruno Lima', domain: 'bruno-lima' },
  carla: { name: 'Carla Méndez', domain: 'carla-mendez' },
  daniel: { name: 'Daniel Okafor', domain: 'daniel-okafor' },
  elena: { name: 'Elena Rossi', domain: 'elena-rossi' },
  felix: { name: 'Felix Braun', domain: 'felix-braun' },
};

export interface SeedInstitution {
  readonly name: string;
  readonly domain: string;
  readonly type: IeoType;
  readonly country: string;
  /** Null leaves it uncertified. */
  readonly certification: Omit<Operations['updateCertification']['fields'], 'ieoId'> | null;
}

export const INSTITUTION_KEYS = ['hospital', 'laboratory', 'wearable', 'insurer', 'platform'] as const;
export type InstitutionKey = (typeof INSTITUTION_KEYS)[number];

export const INSTITUTIONS: Readonly<Record<InstitutionKey, SeedInstitution>> = {
  hospital: {
    name: 'Hospital Santa Aurélia',
    domain: 'santa-aurelia',
    type: 'HOSPITAL',
    country: 'BR',
    certification: { level: 'ADVANCED' },
  },
  laboratory: {
    name: 'Laboratório Meridiano',
    domain: 'meridiano-lab',
    type: 'LAB',
    country: 'BR',
    certification: { level: 'ADVANCED', intents: ['SUBMIT_RECORD', 'READ_RECORDS'] },
  },
  wearable: {
    name: 'PulseBand',
    domain: 'pulseband',
    type: 'WEARABLE',
    country: 'US',
    certification: { level: 'BASIC', categories: ['BSP-DV'] },
  },
  insurer: {
    name: 'Seguros Horizonte',
    domain: 'seguros-horizonte',
    type: 'INSURER',
    country: 'ES',
    certification: null,
  },
  platform: {
    name: 'Longevity Compass',
    domain: 'longevity-compass',
    type: 'PLATFORM',
    country: 'US',
    certification: null,
  },
};

const LABORATORY_CATEGORIES = ['BSP-GL', 'BSP-LP', 'BSP-HM', 'BSP-VT', 'BSP-MN', 'BSP-HR', 'BSP-RN', 'BSP-IF'];

const LABORATORY: SeedConsent['scope'] = {
  intents: ['SUBMIT_RECORD', 'READ_RECORDS'],
  categories: LABORATORY_CATEGORIES,
};
const WEARABLE: SeedConsent['scope'] = { intents: ['SUBMIT_RECORD'], categories: ['BSP-DV'] };

export interface SeedConsent {
  readonly from: PersonKey;
  /** `self`: the holder's own token to read and export records, as the dashboard offers. */
  readonly to: InstitutionKey | 'self';
  readonly scope: Operations['grantConsent']['fields']['scope'];
  /** Null: valid until revoked. */
  readonly days: number | null;
  readonly revoked?: true;
}

/** Fewer than the 15 that the API accepts in a minute, the revocation included. */
export const CONSENTS: readonly SeedConsent[] = [
  { from: 'ana', to: 'self', scope: { intents: ['READ_RECORDS', 'EXPORT_DATA'], categories: ['*'] }, days: null },
  { from: 'ana', to: 'laboratory', scope: LABORATORY, days: null },
  { from: 'ana', to: 'wearable', scope: WEARABLE, days: 365 },
  { from: 'ana', to: 'hospital', scope: { intents: ['READ_RECORDS', 'EXPORT_DATA'], categories: ['*'] }, days: 180 },
  {
    from: 'ana',
    to: 'insurer',
    scope: { intents: ['READ_RECORDS'], categories: ['BSP-GL', 'BSP-LP'], levels: ['STANDARD'], max_records: 50 },
    days: 1,
  },
  {
    from: 'ana',
    to: 'platform',
    scope: { intents: ['READ_RECORDS', 'ANALYZE_VITALITY', 'REQUEST_SCORE'], categories: ['*'] },
    days: 90,
    revoked: true,
  },
  { from: 'bruno', to: 'laboratory', scope: LABORATORY, days: 730 },
  { from: 'bruno', to: 'wearable', scope: WEARABLE, days: 365 },
  { from: 'bruno', to: 'hospital', scope: { intents: ['READ_RECORDS'], categories: ['BSP-GL', 'BSP-DV'] }, days: 30 },
  { from: 'carla', to: 'hospital', scope: { intents: ['SUBMIT_RECORD', 'READ_RECORDS'], categories: ['*'] }, days: 30 },
  { from: 'daniel', to: 'platform', scope: { intents: ['READ_RECORDS', 'SYNC_PROTOCOL'], categories: ['*'] }, days: 7 },
  { from: 'elena', to: 'insurer', scope: { intents: ['READ_RECORDS'], categories: ['BSP-LP'] }, days: 365 },
];

export const ROLES = ['primary', 'secondary', 'tertiary'] as const;

/** A guardian: only invited, accepted by the guardian, or also confirmed by the holder. */
export interface SeedGuardian {
  readonly of: PersonKey;
  readonly guardian: PersonKey;
  readonly role: (typeof ROLES)[number];
  readonly status: 'invited' | 'accepted' | 'confirmed';
}

/** Five invitations and five answers: as many as the API accepts in a minute. */
export const GUARDIANS: readonly SeedGuardian[] = [
  { of: 'ana', guardian: 'bruno', role: 'primary', status: 'confirmed' },
  { of: 'ana', guardian: 'carla', role: 'secondary', status: 'confirmed' },
  { of: 'ana', guardian: 'daniel', role: 'tertiary', status: 'accepted' },
  { of: 'bruno', guardian: 'ana', role: 'primary', status: 'invited' },
  { of: 'bruno', guardian: 'elena', role: 'secondary', status: 'invited' },
];
