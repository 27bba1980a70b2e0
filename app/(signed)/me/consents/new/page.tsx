import { NewConsent } from './new-consent.tsx';

export default function NewConsentPage() {
  return <NewConsent />;
}
