/** Keeping a key and opening it again. ICU message format. `purpose` is `guardian`, `holder` or `institution`. */
export default {
  anotherWay: 'Choose another way',
  next: 'Go on',
  brokenTitle: 'This part of the page did not load',
  broken: 'Check your connection and load the page again. Where this browser keeps your key, it will still be there.',
  progress: 'How far',

  choose: {
    title: 'Keep a copy of your key',
    made: 'Your key was made here, on your device, a moment ago. Nobody else has it, and neither do we.',
    forgets:
      'Browsers forget what they keep, some of them within a week. So take a copy that stays with you before we go on.',
    why: '{purpose, select, guardian {Without it you could not help {domain} on the day you are called.} other {Without it you could not act for {domain} any more.}}',
    how: 'One of these is enough:',
    file: 'Save a file',
    fileWhat: 'Protected by a passphrase that you choose. For people with a good place for files.',
    words: 'Write down 24 words',
    wordsWhat: 'On paper, with a pen or a printer. For people with a good place for papers.',
  },

  passphrase: {
    title: 'Choose a passphrase for the file',
    lead: 'Whoever finds the file can do nothing with it unless they know the passphrase. We do not know it, and nobody can reset it.',
    label: 'Passphrase',
    hint: 'At least {count, number} characters. Four or five words that have nothing to do with each other are easy to remember and hard to guess.',
    show: 'Show',
    hide: 'Hide',
    showLong: 'Show the passphrase',
    hideLong: 'Hide the passphrase',
    short:
      'That is {count, plural, =0 {empty} one {# character} other {# characters}}. Please take at least {minimum, number}: who has the file can try millions of short ones without anybody noticing.',
    simple: 'That repeats the same few characters, and would be guessed. Please mix it more.',
    make: 'Make the file',
    making: 'Making the file. This takes a few seconds: what is slow for you is slow for whoever tries to guess.',
    failedTitle: 'This device could not make the file',
    failed: 'It may be short of memory. Close other pages and try again, or go back and write down 24 words.',
  },

  save: {
    title: 'Save the file',
    ready: 'The file is ready. It is called {name}.',
    where:
      'Put it where you will still find it in a few years: a password manager, a cloud folder, a USB stick kept with your papers. Keep the passphrase somewhere else.',
    download: 'Save the file',
    saved: 'I have saved it',
    trouble:
      'Nothing happens? Some apps cannot save files. Open this page in your usual browser, or go back and write down 24 words.',
  },

  check: {
    title: 'See that it opens',
    lead: 'Pick the file where you have just saved it and type the passphrase once more. Then you know that both will work on the day you need them.',
    open: 'Open the file',
    different: 'This is a key file, but of another key. Pick the one you have just saved, {name}.',
    again: 'Save the file again',
  },

  write: {
    title: 'Write down these 24 words',
    lead: 'In this order, with their numbers. They are your key: whoever has them has it. They are English in every language, so that they fit everywhere.',
    list: 'The 24 words of your key',
    print: 'Print a card',
    printHint: 'The card also says what to do on the day. Print it only on a printer you trust.',
    private: 'Do not take a photo, and do not send them to anyone. We never ask for them by mail or by phone.',
    written: 'I have them on paper',
  },

  ask: {
    title: 'Two of the words, to be sure',
    lead: 'Look at your paper, and type these two words.',
    hint: 'The first letters are enough: choose the word from the list.',
    check: 'Check',
    wrong:
      '{count, plural, one {Word {positions} is not right.} other {Words {positions} are not right.}} Look at your paper once more. If the mistake is on the paper, look at the words again and correct it.',
    empty: '{count, plural, one {Please type word {positions}.} other {Please type words {positions}.}}',
    again: 'Look at the words again',
  },

  kept: {
    title: 'You have your own copy',
    file: 'The file opens with your passphrase. Keep both, apart from each other.',
    words: 'Both words are right. Keep the paper where you keep what matters.',
    card: 'You can also print a card that says what the file is for and what to do on the day.',
    print: 'Print a card',
  },

  card: {
    title: '{purpose, select, guardian {Guardian of {domain}} other {Key of {domain}}}',
    made: 'Made on {date} at {site}',
    about:
      '{purpose, select, guardian {This card belongs to a guardian of {domain}. With it, and together with a second guardian, its owner can help the holder of {domain} who has lost the key. Alone it can do nothing.} other {This card is the key of {domain}. Whoever has it can act for {domain}.}}',
    dayTitle: '{purpose, select, guardian {On the day you are called} other {When you need it}}',
    guardianDay: {
      call: 'Call the person yourself, on a number you already know, or meet them. Never use a number from the message.',
      words: 'Ask them for six words, and write them down.',
      link: 'Open the link that you were sent. It begins with {site}',
      key: '{kept, select, file {Type the six words, then choose your key file and type its passphrase.} other {Type the six words, then the 24 words of this card.}}',
      doubt: 'If anything seems odd, do nothing. Without you, nothing happens.',
    },
    holderDay: {
      open: '{kept, select, file {On a new device, open {site}/sign-in and choose your key file.} other {On a new device, open {site}/sign-in and type the 24 words of this card.}}',
      lost: 'If you lose the key, open {site}/recover. Two of your guardians can help you.',
    },
    never: 'Nobody from Perpetua will ever ask you for these words, for the file or for its passphrase.',
    words: 'The 24 words',
    file: 'The key is a file named {name}',
    place: 'Where I keep it:',
  },

  word: 'Word {number, number}',

  open: {
    looking: 'Looking for your key in this browser …',
    foundTitle: 'Your key is in this browser',
    found:
      '{purpose, select, guardian {This browser kept the key you made as a guardian of {domain}.} other {This browser kept the key of {domain}.}}',
    use: 'Use this key',
    fromBrowser: 'The key in this browser',
    useAnother: 'Use my own copy instead',
    chooseTitle: 'Open your key',
    chooseLead:
      '{purpose, select, guardian {When you became a guardian of {domain} you kept a copy of your key. Which one is it?} other {You kept a copy of the key of {domain}. Which one is it?}}',
    notHere:
      'This browser does not have it. That is nothing to worry about: browsers forget, and this may be another device.',
    file: 'The file',
    fileWhat: 'Its name begins with perpetua and ends in .json. You need its passphrase as well.',
    words: 'The 24 words',
    wordsWhat: 'On paper, or on the card you printed.',
    foundSame: 'This browser keeps the key that you were invited with.',
    chooseAny: 'Which key do you want to use? It can’t be the key of {domain} itself, or that of its other guardians.',
    hereIdentity: 'The key of {domain}',
    hereGuardian: 'Your key as a guardian of {domain}',
    hereUnnamed: 'A guardian key whose public half ends in {end}',
    herePassphrase: 'Kept in this browser. You need its passphrase.',
    hereCopy: 'Kept in this browser.',
    hereTitle: 'Unlock the key of {domain}',
    hereLead:
      'Enter the passphrase you chose when you brought this key into the browser. The key stays on your device.',
    hereLost: 'This browser has lost that key. Choose another way.',
    code: 'A secret key in hex',
    codeWhat: '64 or 128 characters, from a key that was made with other software.',
    codeTitle: 'Paste your secret key',
    codeLead:
      '{purpose, select, guardian {It stays on your device. This page signs with it, sends only the signature, and doesn’t keep the key.} other {It stays on your device. Only signatures leave it. A key of this kind has no 24 words; keep it as a file afterwards.}}',
    neither: 'I have neither',
    fileTitle: 'Open the file',
    fileLead: 'It stays on your device. Only your signature leaves it.',
    filePick: 'Your key file',
    opening: 'Opening the file. This takes a few seconds.',
    open: 'Open',
    wordsTitle: 'Type your 24 words',
    wordsLead:
      'The first letters are enough: choose the word from the list. If you have all of them as text, paste them into the first field.',
    wordsOpen: 'Open',
    wordsList: 'Your 24 words',
    neitherTitle: 'If you have neither',
    neither1:
      '{purpose, select, guardian {Without your key you cannot confirm, and we cannot make you another. Tell the person whom you call. Two other guardians are enough.} institution {Then nobody can make another key for {domain}, and neither can we. Ask whoever else in the institution may have a copy.} other {Then your guardians can help: two of them together can give {domain} a new key.}}',
    neither2:
      'Before you give up, look where you keep passwords and papers, and try the browser and device that you used then.',
    recover: 'Recover with your guardians',
  },

  code: {
    label: 'Your secret key',
    hint: '64 or 128 characters, digits and the letters a to f.',
    showLong: 'Show the secret key',
    hideLong: 'Hide the secret key',
    empty: 'Please paste the key first.',
    foreign: 'This is not a secret key: there are other characters in it than digits and the letters a to f.',
    length:
      'These are {count, plural, one {# character} other {# characters}}. A secret key has 128, a seed 64. Perhaps a part was not copied.',
    halves:
      'The two halves of this key do not belong together: the second is not the public key of the first. A part of it is missing or was changed.',
    publicKey:
      '{purpose, select, guardian {This is your public key, which everyone may see. Paste the secret one that belongs to it.} other {This is the public key of {domain}, which everybody may see. The secret one is needed here.}}',
    file: 'This is the text of a file. Go back and choose the file.',
    other:
      '{purpose, select, guardian {This is a complete key, but not the one you were invited with as a guardian of {domain}. If you have several, try another.} other {This is a key, and it is whole. But it is not the key of {domain} now. It may have been replaced.}}',
  },

  problem: {
    noFile: 'Please choose a file first.',
    noPassphrase: 'Please type the passphrase.',
    foreign: 'This is not a key file of Perpetua. Its name begins with perpetua and ends in .json.',
    damaged:
      'This is a key file, but a part of it is missing or was changed. Use another copy of it, or the 24 words if you have them.',
    newer:
      'This file was written by a later version of Perpetua. Load the page again; if that does not help, open it where it was made.',
    excessive:
      'This file asks for more memory than a key file ever needs, so we do not open it. It does not come from here.',
    passphrase:
      'This passphrase does not open the file. Look at capital letters, spaces and the keyboard’s language. Nothing is lost; try as often as you like.',
    device:
      'This device could not open the file. It may be short of memory: close other pages and try again, or use another device.',
    otherKeyTitle: 'This is another key',
    otherFile:
      '{purpose, select, guardian {This file holds a guardian’s key for {fileDomain}} other {This file holds a key of {fileDomain}}}, made on {date}. It is not the key that is needed here, for {domain}.',
    olderFile:
      'This file holds another key for {domain}, made on {date}. You may have more than one: look for a file of another day.',
    otherWords:
      '{purpose, select, guardian {These words are a key, and they are whole. But it is not the key with which you became a guardian of {domain}.} other {These words are a key, and they are whole. But it is not the key of {domain}.}} You may have more than one paper.',
    unknownWords:
      '{count, plural, one {Not on the list of words: {words}. Look at how it is spelt.} other {Not on the list of words: {words}. Look at how they are spelt.}}',
    unknownWord: 'word {position, number} (“{typed}”)',
    missingWords:
      '{count, plural, one {Word {positions} is still missing.} other {Words {positions} are still missing.}}',
    checksum:
      'Every word is on the list, but together they are not a key. One of them is another word, or two have changed places. Compare them with your paper, one by one.',
  },
};
