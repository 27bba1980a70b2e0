'use client';

import { useEffect, useMemo, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import type { TokenView } from '../../../../protocol/entities/token.ts';
import { useInstitution } from '../../../_session/current.tsx';
import { Refused } from '../../../_trpc/refused.tsx';
import { TableSkeleton } from '../../../_ui/skeletons.tsx';
import { useReferences } from '../references.ts';
import { useChosenConsent } from '../use-chosen-consent.ts';
import { useReceived } from '../use-received-consents.ts';
import { type Csv, loadCsv } from './load-csv.ts';
import { isComplete, type Mapping, mappingOf } from './map-columns.ts';
import { MapColumns } from './map-columns-screen.tsx';
import { PickFile } from './pick-file.tsx';
import { Preview, type SendRows } from './preview.tsx';
import type { ParsedCsv } from './read-csv.ts';
import type { SendingState } from './use-sending.ts';

type FromFileProps = Pick<SendingState, 'isDone'> & { onSend: SendRows };

/** A file that was read, and how its columns are used. */
interface Opened {
  readonly csv: Csv;
  readonly parsed: ParsedCsv;
  readonly mapping: Mapping;
  /** Whether the mapping is being changed. */
  readonly isMapping: boolean;
}

/** Reads records of several people from a CSV file in the browser, and shows them before anything is sent. */
export function FromFile({ isDone, onSend }: FromFileProps) {
  const t = useTranslations('institution.submit');
  const { view } = useInstitution();
  const { consents, frozen, failure, isLoading } = useReceived(view.ieo_id);
  const { references } = useReferences(view.ieo_id);
  const received = useMemo(
    () => ({ consents: consents ?? [], frozen, references, ieoType: view.ieo_type }),
    [consents, frozen, references, view.ieo_type],
  );
  const person = useOnePerson(view.ieo_id);
  const [opened, setOpened] = useState<Opened | null>(null);

  useEffect(() => {
    loadCsv().catch(() => {});
  }, []);

  const open = (csv: Csv, parsed: ParsedCsv) => {
    const mapping = mappingOf(parsed);
    setOpened({ csv, parsed, mapping, isMapping: !isComplete(mapping, person !== null) });
  };

  if (!opened) return <PickFile person={person} onParsed={open} />;
  if (opened.isMapping) {
    return (
      <MapColumns
        {...opened}
        person={person}
        onMap={(mapping) => setOpened({ ...opened, mapping })}
        onDone={() => setOpened({ ...opened, isMapping: false })}
        onAnother={() => setOpened(null)}
      />
    );
  }
  if (failure) return <Refused failure={failure} />;
  if (!consents || isLoading) {
    return (
      <div className="space-y-4">
        <p role="status">{t('preview.matching')}</p>
        <TableSkeleton rows={8} />
      </div>
    );
  }
  return (
    <Preview
      {...opened}
      received={received}
      person={person}
      isDone={isDone}
      onColumns={() => setOpened({ ...opened, isMapping: true })}
      onAnother={() => setOpened(null)}
      onSend={onSend}
    />
  );
}

/** The consent in the address, under which a file without a column for the person is submitted. */
function useOnePerson(ieoId: string): TokenView | null {
  const { chosen } = useChosenConsent(ieoId, 'SUBMIT_RECORD');
  return chosen.state === 'chosen' ? chosen.consent : null;
}
