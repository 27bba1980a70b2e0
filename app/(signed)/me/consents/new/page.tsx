import type { Metadata } from 'next';
import { NewConsent } from '../../../../consents/new-consent.tsx';
import { translator } from '../../../../intl/translator.ts';

export async function generateMetadata(): Promise<Metadata> {
  const t = await translator('consents');
  return { title: t('giveTitle') };
}

export default function NewConsentPage() {
  return <NewConsent />;
}
