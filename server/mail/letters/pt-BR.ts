import { important, type LetterFacts, linked, page, text, type Words } from './letter.ts';

const GUARDIANS =
  'Guardiões são pessoas de confiança. Se um dia a pessoa perder a chave da identidade, dois guardiões juntos podem passar a identidade para uma chave nova. Um guardião sozinho não pode fazer nada, nenhum deles vê nada que seja privado, e isso não custa nada para você.';
const HOW =
  'Abra o seu link para ver quem está pedindo: nossos e-mails nunca mostram um nome escolhido por outra pessoa. Se você sabe quem é e quer ajudar, leva poucos minutos. O seu navegador cria uma chave para você, e você guarda uma cópia dela.';
const CARE =
  'Nunca pedimos as suas 24 palavras nem a sua senha: nem por e-mail, nem por mensagem, nem por telefone. Por favor, não conte a ninguém.';
const CARE_ON_PAGE =
  'Nunca pedimos as suas 24 palavras nem a sua senha: nem por e-mail, nem por mensagem, nem por telefone. Se a página precisar delas para abrir a sua chave, elas não saem do seu navegador.';
const STAY_ON_THE_PHONE =
  'Se ela pediu mesmo, continue na ligação. Ela lê seis palavras, você as digita na página e confirma com a sua chave de guardião.';
const WHICH = 'Ver qual é a identidade';

const decide = (facts: LetterFacts) =>
  linked(
    facts,
    'Ver quem pede e decidir',
    (until) => `O link funciona até ${until}. Ele é só para você: por favor, não o repasse.`,
  );
const confirm = (facts: LetterFacts) =>
  linked(facts, WHICH, (until) => `O link funciona até ${until}. Ele é só para você: por favor, não o repasse.`);

export const ptBR: Words = {
  locale: 'pt-BR',
  greeting: 'Olá!',
  reason:
    'Você recebeu este e-mail porque alguém indicou este endereço como o de um dos seus guardiões. É um aviso sobre este assunto, não é propaganda.',
  unsubscribe: 'Não receber mais e-mails nossos',
  letter: {
    invitation: (facts) => ({
      subject: 'Você aceita ser guardião de alguém?',
      blocks: [
        text('Uma pessoa nos passou este endereço e gostaria que você fosse um dos guardiões da identidade dela.'),
        text(GUARDIANS),
        text(HOW),
        ...decide(facts),
        text(
          'Se você não faz ideia de quem seja, pergunte às pessoas próximas ou simplesmente ignore este e-mail. Nada acontece.',
        ),
        text(CARE),
      ],
    }),
    reminder: (facts) => ({
      subject: 'Lembrete: você aceita ser guardião de alguém?',
      blocks: [
        text(
          'Há dois dias escrevemos a você porque uma pessoa gostaria que você fosse um dos guardiões da identidade dela. Ela ainda não teve resposta.',
        ),
        text(GUARDIANS),
        text(HOW),
        ...decide(facts),
        text('Se preferir não aceitar, você não precisa fazer nada. Não enviaremos outro lembrete.'),
        text(CARE),
      ],
    }),
    recovery: (facts) => ({
      subject: 'Pedido de recuperação de uma identidade que você protege',
      blocks: [
        text(
          'Você é um dos guardiões de uma identidade. Alguém pede para passar essa identidade para uma chave nova: talvez a pessoa que você conhece, que perdeu a dela; talvez alguém que se faz passar por ela. Você consegue descobrir; nós não. O seu link mostra qual é a identidade.',
        ),
        ...confirm(facts),
        important(
          'Antes de confirmar qualquer coisa, telefone para a pessoa, por iniciativa sua, em um número que você já conhece. Não confie em e-mails nem em mensagens, e não ligue para um número que alguém tenha enviado a você.',
        ),
        text(STAY_ON_THE_PHONE),
        text(
          'Se ela não pediu, ou se você não conseguir falar com ela, não confirme nada: sem dois guardiões, nada muda. E, se não foi ela, avise-a, para que ela possa alertar os outros guardiões.',
        ),
        text(CARE_ON_PAGE),
      ],
    }),
    confirmed: (facts) => ({
      subject: 'Um guardião confirmou uma recuperação',
      blocks: [
        text(
          'Você é um dos guardiões de uma identidade. Outro guardião confirmou que ela deve passar para uma chave nova. São necessárias duas confirmações: falta só mais uma, que pode ser a sua.',
        ),
        ...(facts.link ? confirm(facts) : [page(WHICH, facts.identityUrl)]),
        important(
          'Se você ainda não falou com a pessoa, telefone para ela agora, por iniciativa sua, em um número que você já conhece.',
        ),
        text(
          facts.link
            ? STAY_ON_THE_PHONE
            : 'Se ela pediu mesmo, ela tem um link para você, e seis palavras para ler a você por telefone.',
        ),
        text('Se ela não pediu, não confirme nada e avise-a logo, para que ela possa alertar os outros guardiões.'),
        text(CARE_ON_PAGE),
      ],
    }),
    recovered: (facts) => ({
      subject: 'Uma identidade que você protege foi recuperada',
      blocks: [
        text(
          'Você é um dos guardiões de uma identidade. Dois guardiões confirmaram a recuperação, e ela agora pertence a uma chave nova. A chave antiga não funciona mais.',
        ),
        page(WHICH, facts.identityUrl),
        text('Você não precisa fazer nada. A sua chave de guardião continua a mesma: guarde bem a sua cópia.'),
        important(
          `Se isso é novidade para você, telefone para a pessoa, por iniciativa sua, em um número que você já conhece. Se não foi ela quem pediu, outra pessoa controla a identidade agora. A pessoa que você conhece pode pedir imediatamente uma nova recuperação, em ${facts.recoverUrl}, e durante 24 horas ninguém pode trocar os guardiões.`,
        ),
        text(CARE),
      ],
    }),
  },
};
