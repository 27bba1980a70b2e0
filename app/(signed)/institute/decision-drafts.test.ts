import { describe, expect, test } from 'vitest';
import { derivedIds, ledgerIdOf } from '../../../protocol/ids.ts';
import {
  type CertificationDraft,
  certificationBody,
  EMPTY_CERTIFICATION,
  hasInvalidEnd,
  renewalOf,
} from './certification-draft.ts';
import type { ChosenInstitution } from './find-institution.tsx';
import { EMPTY_PROPOSAL, type ProposalDraft, proposalBody, withAction } from './proposal-draft.ts';

const NOW = new Date(2026, 2, 1, 12).getTime();
const END = new Date(2026, 2, 31).getTime() - 1;
const lab: ChosenInstitution = {
  ieo_id: derivedIds(ledgerIdOf('ab'.repeat(32)), 'lab').ieoId(),
  domain: 'lab.bsp',
  display_name: 'A Lab',
  status: 'ACTIVE',
};

describe('a renewal', () => {
  const certification = {
    level: 'ADVANCED' as const,
    granted_at: '2025-03-31T12:00:00.000Z',
    expires_at: '2026-03-31T12:00:00.000Z',
    categories: ['BSP-LA'],
    intents: ['READ_RECORDS'],
  };
  const renewed = (expires_at: string) =>
    renewalOf({ ...(lab as Parameters<typeof renewalOf>[0]), certification: { ...certification, expires_at } }, NOW);

  test('lasts a year from the end of the certification, with the same level and scope', () => {
    const { expires, ...rest } = renewed(certification.expires_at);
    expect(rest).toMatchObject({ level: 'ADVANCED', categories: ['BSP-LA'], intents: ['READ_RECORDS'] });
    expect(expires).toBe('2027-03-31');
  });

  test('lasts a year from today where the certification has ended', () => {
    expect(renewed('2026-02-01T12:00:00.000Z').expires).toBe('2027-03-01');
  });
});

describe('the body of a certification', () => {
  const complete: CertificationDraft = {
    institution: lab,
    level: 'BASIC',
    expires: '2026-03-30',
    categories: ['BSP-LA'],
    intents: ['READ_RECORDS'],
  };

  test('has the level, the end and the scope', () => {
    expect(certificationBody(complete, NOW)).toEqual({
      ieoId: lab.ieo_id,
      level: 'BASIC',
      expiresAt: new Date(END).toISOString(),
      categories: ['BSP-LA'],
      intents: ['READ_RECORDS'],
    });
    expect(certificationBody({ ...complete, expires: '' }, NOW)).not.toHaveProperty('expiresAt');
  });

  test('has no end and scope where it is withdrawn', () => {
    expect(certificationBody({ ...complete, level: 'UNCERTIFIED' }, NOW)).toEqual({
      ieoId: lab.ieo_id,
      level: 'UNCERTIFIED',
    });
  });

  test('is null while something is missing, or with an end in the past', () => {
    for (const draft of [EMPTY_CERTIFICATION, { ...complete, institution: null }, { ...complete, level: null }]) {
      expect(certificationBody(draft, NOW)).toBeNull();
    }
    expect(certificationBody({ ...complete, expires: '2026-03-01' }, NOW)).toBeNull();
    expect(hasInvalidEnd('UNCERTIFIED', '2026-03-01', NOW)).toBe(false);
  });
});

describe('the body of a proposal', () => {
  const complete: ProposalDraft = {
    ...EMPTY_PROPOSAL,
    action: 'suspendIEO',
    institution: lab,
    reason: ' a reason ',
    justification: ' because ',
  };
  const ieoId = lab.ieo_id;

  test('has the parameters of its action', () => {
    const justification = 'because';
    expect(proposalBody(complete, NOW)).toEqual({
      action: 'suspendIEO',
      params: { ieoId, reason: 'a reason' },
      justification,
    });
    const reinstate: ProposalDraft = { ...complete, action: 'reinstateIEO' };
    expect(proposalBody(reinstate, NOW)).toEqual({ action: 'reinstateIEO', params: { ieoId }, justification });
    const change: ProposalDraft = { ...complete, action: 'changeCertLevel', level: 'BASIC', expires: '2026-03-30' };
    const expiresAt = new Date(END).toISOString();
    expect(proposalBody(change, NOW)).toMatchObject({ params: { ieoId, level: 'BASIC', expiresAt } });
  });

  test('is null while something is missing', () => {
    const incomplete: Partial<ProposalDraft>[] = [
      { action: null },
      { institution: null },
      { reason: ' ' },
      { justification: ' ' },
      { action: 'changeCertLevel' },
      { action: 'changeCertLevel', level: 'BASIC', expires: '2020-01-01' },
    ];
    for (const changes of incomplete) expect(proposalBody({ ...complete, ...changes }, NOW)).toBeNull();
  });

  test('keeps its institution only if the next action allows it', () => {
    expect(withAction(complete, 'revokeIEO').institution).toBe(lab);
    expect(withAction(complete, 'reinstateIEO').institution).toBeNull();
  });
});
