import type { Metadata } from 'next';
import { readPractice } from '../../../../server/features/guardians/practise-recovery.ts';
import { getContext } from '../../../../server/http/context.ts';
import { WithMessages } from '../../../_i18n/translated.tsx';
import { translator } from '../../../_i18n/translator.ts';
import { pageMetadata } from '../../../_ui/page-metadata.ts';
import { ActiveGuardians } from '../../active-guardians.tsx';
import { LinkNotice, LostLinkNotice } from '../../link-notice.tsx';
import { readGuardians } from '../../read-guardians.ts';
import { readLink } from '../../read-link.ts';
import { PractiseRecovery } from '../practise-recovery.tsx';

type PractisePageProps = { params: Promise<{ token: string }> };

export const generateMetadata = async (): Promise<Metadata> => pageMetadata((await translator('practise'))('title'));

/** The page of a guardian's link to practise a recovery, which has the steps of the real one and changes nothing. */
export default async function PractisePage({ params }: PractisePageProps) {
  const { token } = await params;
  const practice = await readLink(readPractice(getContext(), token));
  if (practice.state === 'open') {
    return (
      <ActiveGuardians guardians={await readGuardians(getContext(), practice.beo_id)}>
        <WithMessages namespaces={['practise', 'confirm', 'guardian', 'keys']}>
          <PractiseRecovery token={token} practice={practice} />
        </WithMessages>
      </ActiveGuardians>
    );
  }
  if (practice.state !== 'expired' && practice.state !== 'superseded') return <LostLinkNotice why={practice.state} />;
  const t = await translator('practise');
  return <LinkNotice title={t('ended.title')} reason={<p>{t('ended.what')}</p>} todo={<p>{t('ended.todo')}</p>} />;
}
