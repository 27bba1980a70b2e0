import { AllConsents } from '../../../consents/all-consents.tsx';

export default function ConsentsPage() {
  return <AllConsents />;
}
