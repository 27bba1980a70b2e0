'use client';

import { startTransition, useEffect, useMemo, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { useInstitution } from '../../../_session/current.tsx';
import { Refused } from '../../../_trpc/refused.tsx';
import { deferred } from '../../../_ui/deferred.tsx';
import { CardSkeleton, TableSkeleton } from '../../../_ui/skeletons.tsx';
import { useReferences } from '../references.ts';
import { useChosenConsent } from '../use-chosen-consent.ts';
import { useReceived } from '../use-received-consents.ts';
import { localCodesIn } from './code-table.ts';
import { type Csv, loadCsv } from './load-csv.ts';
import { isComplete, type Mapping, mappingOf } from './map-columns.ts';
import { MapColumns } from './map-columns-screen.tsx';
import { PickFile } from './pick-file.tsx';
import { Preview, type SendRows } from './preview.tsx';
import type { Encoding, ParsedCsv } from './read-csv.ts';
import { useLocalCodes } from './use-local-codes.ts';
import type { WasSent } from './use-sent-before.ts';
import type { SendingState } from './use-submission-sending.ts';

/** Loaded for a file with codes of the laboratory. */
const MapCodes = deferred(async () => (await import('./map-codes-screen.tsx')).MapCodes, <CardSkeleton lines={8} />);

type FromFileProps = Pick<SendingState, 'isDone'> & { wasSent: WasSent; onSend: SendRows };

/** A file that was read, and how its columns are used. */
interface Opened {
  readonly csv: Csv;
  readonly parsed: ParsedCsv;
  readonly encoding: Encoding;
  readonly mapping: Mapping;
  /** Whether the mapping is being changed; null: only if it is incomplete. */
  readonly isMapping: boolean | null;
  /** Whether the laboratory's codes are being assigned; null: only if one is not known yet. */
  readonly isCoding: boolean | null;
}

/** Reads records of several people from a CSV file in the browser, and shows them before anything is sent. */
export function FromFile({ isDone, wasSent, onSend }: FromFileProps) {
  const t = useTranslations('institution.submit');
  const { view } = useInstitution();
  const [opened, setOpened] = useState<Opened | null>(null);
  const { consents, frozen, failure, isLoading } = useReceived(view.ieo_id, { isWhole: opened !== null });
  const { references, isRead } = useReferences(view.ieo_id);
  const received = useMemo(
    () => ({ consents: consents ?? [], frozen, references, ieoType: view.ieo_type }),
    [consents, frozen, references, view.ieo_type],
  );
  const { chosen } = useChosenConsent(view.ieo_id, 'SUBMIT_RECORD');
  // Under the consent in the address, a file needs no column for the person.
  const person = chosen.state === 'chosen' ? chosen.consent : null;
  const { table, keep } = useLocalCodes(view.ieo_id);
  const local = useMemo(() => (opened ? localCodesIn(opened.parsed, opened.mapping) : []), [opened]);

  useEffect(() => {
    loadCsv().catch(() => {});
  }, []);

  const open = (csv: Csv, parsed: ParsedCsv, encoding: Encoding) => {
    const mapping = mappingOf(parsed);
    // The page responds while the columns and codes of a large file are looked at.
    startTransition(() => setOpened({ csv, parsed, encoding, mapping, isMapping: null, isCoding: null }));
  };

  if (!opened) return <PickFile person={person} onParsed={open} />;
  if (failure) return <Refused failure={failure} />;
  if (!consents || !table || isLoading || !isRead || chosen.state === 'loading') {
    return (
      <div className="space-y-4">
        <p role="status">{t('preview.matching')}</p>
        <TableSkeleton rows={8} />
      </div>
    );
  }
  if (opened.isMapping ?? !isComplete(opened.mapping, person !== null)) {
    return (
      <MapColumns
        {...opened}
        person={person}
        onMap={(mapping) => setOpened({ ...opened, mapping, isMapping: true })}
        onDone={() => setOpened({ ...opened, isMapping: false })}
        onAnother={() => setOpened(null)}
      />
    );
  }
  if (opened.isCoding ?? local.some(({ text }) => !table.codes.has(text))) {
    return (
      <MapCodes
        {...opened}
        local={local}
        table={table}
        onKeep={keep}
        onDone={() => setOpened({ ...opened, isCoding: false })}
      />
    );
  }
  return (
    <Preview
      {...opened}
      local={local}
      table={table}
      received={received}
      person={person}
      isDone={isDone}
      wasSent={wasSent}
      onColumns={() => setOpened({ ...opened, isMapping: true, isCoding: null })}
      onCodes={() => setOpened({ ...opened, isCoding: true })}
      onAnother={() => setOpened(null)}
      onSend={onSend}
    />
  );
}
