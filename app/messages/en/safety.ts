/** Keeping, replacing and forgetting a key, and destroying what it stands for. `kind` is `holder` or `institution`. */
export default {
  title: 'Key and safety',
  lead: 'Your key is what makes you the owner of {domain}. Here you keep it safe, replace it, or take it out of this browser.',
  notNow: 'Not now',

  backup: {
    title: 'Backup',
    have: 'You have a copy of your own. Look now and then whether you still find it.',
    noneTitle: 'There is no copy yet',
    none: 'Browsers forget what they keep, some of them within a week. Then nobody can bring this key back.',
    what: 'A file under a passphrase of its own, or 24 words on paper, which you can also print as a card.',
    make: 'Make a backup',
    another: 'Make another copy',
    lead: 'This is for the key of {domain} that is in force now. You choose the form; both open on any device.',
    leadSeed:
      'The key of {domain} was made elsewhere, so it has no 24 words. A file under a passphrase keeps it just as well.',
    done: 'You have your own copy.',
  },

  passkey: {
    title: 'Passkey',
    what: 'Open the key in this browser with your finger, your face or the PIN of this device, besides the passphrase.',
    have: 'This device’s passkey opens the key in this browser. The passphrase works as well.',
    cannot:
      'This browser or device offers no passkey that could keep a key, so the passphrase is the way. That is just as safe.',
    add: 'Add a passkey',
    remove: 'Remove the passkey',
    added: 'The passkey is added.',
    removed: 'The passkey is removed. The passphrase opens the key.',
  },

  passphrase: {
    title: 'Passphrase of this browser',
    what: 'It opens the key in this browser. If you have forgotten it, bring the key again with your file or your words.',
    files: 'A new one does not change the files you have saved: each keeps its own.',
    change: 'Change the passphrase',
    new: 'Choose a new passphrase',
    save: 'Change it',
    done: 'The passphrase is changed.',
  },

  putAway: {
    title: 'When the key is put away',
    what: 'Once opened, your key stays open in this page only: until you put it away, close or reload the page, or nobody has used it for {minutes, number} minutes.',
  },

  replace: {
    title: 'Replace the key',
    when: 'If somebody may have seen your words, your file or your passphrase. The new key counts at once, and the old one stops working.',
    begin: 'Replace the key',
    whatTitle: 'How replacing the key goes',
    new: 'A new key is made here, on your device.',
    copy: 'You keep a copy of it: a file or 24 words. The old copies are then of no more use.',
    signed: 'The old key signs that the new one takes its place.',
    stays: {
      holder: 'Your consents, guardians and records stay as they are.',
      institution: 'Consents, certification and contacts stay as they are.',
    },
    public: 'What becomes public, for ever: that {domain} has a new key, when, and the new public key.',
    make: 'Make the new key',
    broken: 'This browser could not make a key. Load the page again; nothing was changed.',
    savedTitle: 'Your new key is made and kept',
    saved: 'You made it here earlier and have a copy of it. It does not count yet.',
    goOn: 'Go on with it',
    again: 'Keep another copy',
    inForce: 'Your new key already counts for {domain}. It is only not kept in this browser yet.',
    signTitle: 'Give {domain} its new key now?',
    sign: 'From this moment the old key signs nothing any more, on all your devices.',
    newKey: 'New public key',
    yes: 'Replace the key now',
    sending: 'Replacing the key …',
    done: '{domain} has its new key. Your old copies are of no more use.',
  },

  forget: {
    title: 'Forget it in this browser',
    what: 'Takes the key out of this browser, for instance before you give the device away. The identity stays as it is.',
    button: 'Forget the key here',
    ask: 'Forget the key of {domain} in this browser?',
    stays: '{domain} itself stays as it is, and so does everything it has signed.',
    backedUp: 'You said that you have a copy. You need it to come back.',
    noBackupTitle: 'There is no copy of this key',
    noBackup: 'If you go on, nobody can act for {domain} any more, unless its guardians give it a new key.',
    yes: 'Forget it here',
    anyway: 'Forget it without a copy',
    no: 'Keep it',
  },

  destroy: {
    rest: 'Destroy',
    restWhat: 'Ends it for ever. You are told first what goes and what stays.',
    begin: 'See what destroying means',
    title: '{kind, select, institution {Destroy the institution} other {Destroy the identity}}',
    step: 'Step {step, number} of {steps, number}',
    next: 'I understand, go on',
    no: 'Do not destroy it',
    goes: {
      title: 'What goes when you destroy {domain}',
      holder: {
        key: 'Its key. It signs nothing any more, and no guardian can bring it back.',
        consents: 'All your consents. They end at that moment.',
        records:
          'Your records and the names of your guardians: they are erased here, and the key that encrypted them too.',
        rather:
          'If you fear that somebody has your key, <lock>lock</lock> the identity or <lock>replace</lock> the key instead. You lose nothing by that.',
      },
      institution: {
        key: 'Its key. It signs nothing any more.',
        consents: 'All consents it has received. They end at that moment.',
        records: 'Its place here: it can neither submit nor read records again.',
        rather:
          'If you fear that somebody has the key, <lock>lock</lock> the institution or <lock>replace</lock> the key instead. You lose nothing by that.',
      },
      domain:
        '{kind, select, institution {The name {domain}. Nobody can ever take it again, you neither.} other {The name {domain}. After a few minutes anybody can take it.}}',
      nobody: 'Nobody can undo this, and neither can we.',
    },
    stays: {
      title: 'What stays',
      holder: {
        ledger:
          'On the public ledger, for ever: that {domain} existed, its public keys, and to whom consents were given and when. No records and no names of guardians.',
        copies: 'What institutions read while you allowed it. Ask them to delete it; we cannot.',
      },
      institution: {
        ledger:
          'On the public ledger, for ever: the name, the public keys, and which consents {domain} received and when.',
        copies: 'The records it submitted. They belong to the people they are about and stay with them.',
      },
      mark: 'A last entry on the ledger: that {domain} was destroyed, and when.',
    },
    export: {
      title: 'Take your records with you first?',
      what: 'An export is one file with everything: your records, consents and who accessed them, each with its proof.',
      last: 'Once the identity is destroyed, nothing of it can be exported any more.',
      make: 'Export first',
      without: 'Go on without an export',
    },
    confirm: {
      title: 'Destroy {domain} for ever',
      final: 'This is the last step. It counts at once.',
      label: 'Type {domain} to be sure',
      wrong: 'That is not {domain}. Type it exactly, or stop here.',
      yes: 'Destroy it for ever',
      sending: 'Destroying …',
      cooldown:
        'It was recovered by guardians less than 24 hours ago. Until then it cannot be destroyed, in case the recovery was not yours.',
    },
    done: {
      title: '{domain} is destroyed',
      holder: 'Its key signs nothing any more, its consents have ended, and its records here are erased.',
      institution: 'Its key signs nothing any more, and the consents it had received have ended.',
      forget: 'Forget it in this browser',
      see: 'See it on the ledger',
    },
  },
};
