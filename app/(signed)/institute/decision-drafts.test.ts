import { describe, expect, test } from 'vitest';
import { derivedIds, ledgerIdOf } from '../../../protocol/ids.ts';
import { type CertificationDraft, certificationBody, EMPTY_CERTIFICATION, hasBadDay } from './certification-draft.ts';
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

describe('a certification', () => {
  const whole: CertificationDraft = {
    institution: lab,
    level: 'BASIC',
    expires: '2026-03-30',
    categories: ['BSP-LA'],
    intents: ['READ_RECORDS'],
  };

  test('is sent with its level, its end and its scope', () => {
    expect(certificationBody(whole, NOW)).toEqual({
      ieoId: lab.ieo_id,
      level: 'BASIC',
      expiresAt: new Date(END).toISOString(),
      categories: ['BSP-LA'],
      intents: ['READ_RECORDS'],
    });
    expect(certificationBody({ ...whole, expires: '' }, NOW)).not.toHaveProperty('expiresAt');
  });

  test('is withdrawn without end and scope', () => {
    expect(certificationBody({ ...whole, level: 'UNCERTIFIED' }, NOW)).toEqual({
      ieoId: lab.ieo_id,
      level: 'UNCERTIFIED',
    });
  });

  test('is not sent while something is missing, or with an end that has passed', () => {
    for (const draft of [EMPTY_CERTIFICATION, { ...whole, institution: null }, { ...whole, level: null }]) {
      expect(certificationBody(draft, NOW)).toBeNull();
    }
    expect(certificationBody({ ...whole, expires: '2026-03-01' }, NOW)).toBeNull();
    expect(hasBadDay('UNCERTIFIED', '2026-03-01', NOW)).toBe(false);
  });
});

describe('a proposal', () => {
  const whole: ProposalDraft = {
    ...EMPTY_PROPOSAL,
    action: 'suspendIEO',
    institution: lab,
    reason: ' a reason ',
    justification: ' because ',
  };
  const ieoId = lab.ieo_id;

  test('has the parameters of its action', () => {
    const justification = 'because';
    expect(proposalBody(whole, NOW)).toEqual({
      action: 'suspendIEO',
      params: { ieoId, reason: 'a reason' },
      justification,
    });
    const reinstate: ProposalDraft = { ...whole, action: 'reinstateIEO' };
    expect(proposalBody(reinstate, NOW)).toEqual({ action: 'reinstateIEO', params: { ieoId }, justification });
    const change: ProposalDraft = { ...whole, action: 'changeCertLevel', level: 'BASIC', expires: '2026-03-30' };
    const expiresAt = new Date(END).toISOString();
    expect(proposalBody(change, NOW)).toMatchObject({ params: { ieoId, level: 'BASIC', expiresAt } });
  });

  test('is not sent while something is missing', () => {
    const incomplete: Partial<ProposalDraft>[] = [
      { action: null },
      { institution: null },
      { reason: ' ' },
      { justification: ' ' },
      { action: 'changeCertLevel' },
      { action: 'changeCertLevel', level: 'BASIC', expires: '2020-01-01' },
    ];
    for (const changes of incomplete) expect(proposalBody({ ...whole, ...changes }, NOW)).toBeNull();
  });

  test('keeps its institution only where the next action fits it', () => {
    expect(withAction(whole, 'revokeIEO').institution).toBe(lab);
    expect(withAction(whole, 'reinstateIEO').institution).toBeNull();
  });
});
