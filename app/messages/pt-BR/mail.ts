/** A página do link dos nossos e-mails para não receber mais nenhum. */
export default {
  title: 'E-mails do Perpetua',
  stopTitle: 'Não receber mais e-mails nossos?',
  stopWhat:
    'Escrevemos para este endereço porque alguém o indicou como o de um guardião. Se você apertar o botão, não enviaremos mais e-mails para ele, seja quem for que o indique.',
  stopKnow:
    'Se você é guardião, continua sendo. Mas, quando alguém pedir a sua ajuda ou confirmar uma recuperação, você não saberá mais por nós: a pessoa precisará enviar o link a você.',
  stop: 'Não quero mais e-mails',
  stoppedTitle: 'Você não recebe mais e-mails nossos',
  stoppedWhat:
    'Não enviamos mais e-mails para este endereço, seja quem for que o indique. Um e-mail que já saiu ainda pode chegar.',
  stoppedKnow: 'Ninguém fica sabendo. Quem quiser você como guardião pode enviar o link por conta própria.',
  resume: 'Quero receber e-mails de novo',
  unknownTitle: 'Este link não funciona',
  unknownWhat: 'Talvez ele não tenha sido copiado por inteiro.',
  unknownTodo: 'Abra o link de novo no fim do e-mail, ou copie-o inteiro.',
  busyTitle: 'Não conseguimos consultar isso agora',
  busyWhat: 'Nada mudou. Tente de novo em alguns minutos.',
};
