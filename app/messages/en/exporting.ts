/** Taking one's records away. */
export default {
  title: 'Take your records with you',
  lead: 'One file with everything that is kept about you, superseded values included, exactly as it was sent.',
  formats: 'What is the file for?',
  format: {
    CSV: {
      name: 'A spreadsheet',
      what: 'CSV: one row per record, for Excel, LibreOffice or Numbers, or for somebody who calculates with it.',
    },
    FHIR_R4: {
      name: 'The next health system',
      what: 'HL7 FHIR R4: the form that clinics, laboratories and health apps take over from each other.',
    },
    JSON: {
      name: 'Keeping, with proofs',
      what: 'JSON: all that is known, with what proves each record against the ledger, even if this service is gone.',
    },
  },
  careful:
    'The file is not encrypted: whoever has it can read it. Keep it where you would keep a medical report. {whose, select, own {That you made it is written into your access log.} other {The person sees in their access log that you exported their records.}}',
  choose: 'Choose what the file is for.',
  again: 'Try again',
  make: 'Make the file',
  making: 'Making the file',
  preparing: 'Asking for the records',
  soFar: '{count, plural, one {# record} other {# records}}; {size} so far',
  cancel: 'Cancel',
  cancelled: 'Cancelled. Nothing was kept.',
  ready: {
    title: 'Your file is ready',
    what: '{count, plural, =0 {It holds no records: there are none yet.} one {It holds # record.} other {It holds # records.}} It is only in this browser’s memory: save it now.',
    save: 'Save the file',
    another: 'Make another',
  },
  broken: 'The file did not arrive whole, so nothing of it was kept. Look at your connection and try again.',
  notNow: {
    title: 'Nothing can be exported now',
    locked: 'Your identity is locked, and records go to nobody until you unlock it: not even to you.',
    destroyed: 'This identity was destroyed, and its records with it.',
  },
};
