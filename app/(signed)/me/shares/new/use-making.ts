import { useRef } from 'react';
import { useLocale, useTranslations } from 'use-intl/react';
import type { NewShare } from '../../../../../client/shares.ts';
import type { CreatedShare } from '../../../../../client/types.ts';
import type { SummaryWords } from '../../../../../protocol/records/fhir/write/summary.ts';
import type { BioRecord } from '../../../../../protocol/records/record.ts';
import { useBiomarkerName } from '../../../../_i18n/biomarker-names.tsx';
import { type Answered, read } from '../../../../_session/send.ts';
import { useSession } from '../../../../_session/session.tsx';
import { useSignedBody } from '../../../../_session/write.tsx';
import { clockSkew } from '../../../../_trpc/clock.ts';
import { UNREACHABLE } from '../../../../_trpc/unreachable.ts';
import { useDates } from '../../../../_ui/use-dates.ts';
import { useSubmission } from '../../../../_wizard/use-submission.ts';
import { BROKEN, takeExport } from '../../../_export/take-export.ts';
import { openingsOf, type ShareDraft } from './share-draft.ts';

export interface MadeShare extends CreatedShare {
  /** With the key after `#`. Shown once. */
  readonly link: string;
}

interface Wanted {
  readonly draft: ShareDraft;
  readonly passcode: string;
  readonly records: readonly BioRecord[];
  /** A consent under which the holder exports everything. */
  readonly consentToken: string;
}

/** The code that writes the file, which the page loads before it needs it. */
export const loadShareFile = () => import('./share-file-in-worker.ts');

/** Local failures: code did not load; the export has another form; a record was replaced meanwhile; the person cancelled. */
const NOT_LOADED = { ok: false, failure: UNREACHABLE } as const;
const UNREADABLE = { ok: false, failure: BROKEN } as const;
const CHANGED = { ok: false, failure: { code: 'CHANGED', message: '' } } as const;
const CANCELLED = { ok: false, failure: null } as const;

/** Makes a share: the records with their proofs, encrypted here, and only the ciphertext sent. */
export function useMaking(beoId: string) {
  const { signer } = useSession();
  const signedBody = useSignedBody();
  const wordsFor = useSummaryWords();
  const { sending, failure, submit } = useSubmission();
  /** What was prepared for these answers: without a response, the same is sent again, so that there is no second share. */
  const prepared = useRef<{ readonly answers: string; readonly share: NewShare } | null>(null);

  const prepare = async ({
    draft,
    passcode,
    records,
    consentToken,
  }: Wanted): Promise<Answered<NewShare> | typeof CANCELLED> => {
    const request = signedBody('sovereignExport', { targetBeo: beoId, consentToken, format: 'JSON' });
    const loaded = await Promise.all([loadShareFile(), request]).catch(() => null);
    if (!loaded) return NOT_LOADED;
    const [{ shareFileInWorker }, body] = loaded;
    if (!body) return CANCELLED;
    const exported = await takeExport(body, 'JSON');
    if (!exported.ok) return exported;
    const file = await shareFileInWorker({
      exported: exported.file,
      chosen: new Set(records.map(({ record_id }) => record_id)),
      at: new Date(Date.now() - clockSkew()).toISOString(),
      words: draft.what === 'summary' ? wordsFor(records) : null,
    }).catch(() => undefined);
    if (file === undefined) return UNREADABLE;
    if (file === null) return CHANGED;
    const share: NewShare = {
      beoId,
      label: draft.note.trim(),
      files: [file],
      expiresIn: draft.lasting,
      openings: openingsOf(draft) ?? 1,
      passcode: draft.hasPasscode ? passcode.trim() : null,
      viewer: `${window.location.origin}/view#`,
    };
    return { ok: true, body: share };
  };

  const make = async (wanted: Wanted): Promise<MadeShare | null> => {
    const made = await submit(async () => {
      const key = await signer();
      if (!key) return CANCELLED;
      const answers = JSON.stringify([wanted.draft, wanted.passcode, wanted.records.map(({ record_id }) => record_id)]);
      if (prepared.current?.answers !== answers) {
        const ready = await prepare(wanted);
        if (!ready.ok) return ready;
        prepared.current = { answers, share: ready.body };
      }
      const { share } = prepared.current;
      return read((client) => client.createShare(share, { key }));
    });
    return made?.ok ? made.body : null;
  };

  return { sending, failure, make };
}

export type Making = ReturnType<typeof useMaking>;

/** The texts of a summary of some records, in the language of the page and the zone of this device. */
function useSummaryWords(): (records: readonly BioRecord[]) => SummaryWords {
  const t = useTranslations('shares.summary');
  const language = useLocale();
  const nameOf = useBiomarkerName();
  const dates = useDates();
  return (records) => ({
    language,
    title: t('title'),
    results: t('results'),
    vitalSigns: t('vitalSigns'),
    problems: t('problems'),
    allergies: t('allergies'),
    medications: t('medications'),
    nothing: t('nothing'),
    names: Object.fromEntries(records.map(({ biomarker }) => [biomarker, nameOf(biomarker)])),
    days: Object.fromEntries(records.map(({ collected_at }) => [collected_at, dates.day(collected_at)])),
  });
}
