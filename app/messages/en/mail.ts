/** The page behind the link in our mails to get no more of them. */
export default {
  title: 'Mail from Perpetua',
  stopTitle: 'Get no more mail from us?',
  stopWhat:
    'We write to this address because somebody named it as a guardian’s. If you press the button, we send no more mail to it, whoever names it.',
  stopKnow:
    'If you are a guardian, you stay one. But when somebody asks for your help or confirms a recovery, you no longer learn it from us: the person has to send you the link.',
  stop: 'Send me no more mail',
  stoppedTitle: 'You get no more mail from us',
  stoppedWhat:
    'We send no more mail to this address, whoever names it. A mail that is already on its way may still arrive.',
  stoppedKnow: 'Nobody is told. Whoever wants you as a guardian can send you a link themselves.',
  resume: 'Send me mail again',
  unknownTitle: 'This link does not work',
  unknownWhat: 'It may not have been copied as a whole.',
  unknownTodo: 'Open it again from the end of the mail, or copy all of it.',
  busyTitle: 'We cannot look this up right now',
  busyWhat: 'Nothing was changed. Please try again in a few minutes.',
};
