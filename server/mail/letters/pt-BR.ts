import { important, type LetterFacts, linked, text, type Words } from './letter.ts';

const GUARDIANS =
  'Guardiões são pessoas de confiança. Se um dia a pessoa perder a chave da identidade, dois guardiões juntos podem passar a identidade para uma chave nova. Um guardião sozinho não pode fazer nada, nenhum deles vê nada que seja privado, e isso não custa nada para você.';
const HOW =
  'Se você sabe quem é e quer ajudar, abra o seu link. Leva poucos minutos: o seu navegador cria uma chave para você, e você guarda uma cópia dela.';
const CARE =
  'Nunca pedimos as suas 24 palavras nem a sua senha: nem por e-mail, nem por mensagem, nem por telefone. Por favor, não conte a ninguém.';
const CARE_ON_PAGE =
  'Nunca pedimos as suas 24 palavras nem a sua senha: nem por e-mail, nem por mensagem, nem por telefone. Se a página precisar delas para abrir a sua chave, elas não saem do seu navegador.';

const decide = (facts: LetterFacts) =>
  linked(
    facts,
    'Saber mais e decidir',
    (until) => `O link funciona até ${until}. Ele é só para você: por favor, não o repasse.`,
  );
const confirm = (facts: LetterFacts) =>
  linked(
    facts,
    'Abrir com a pessoa ao telefone',
    (until) => `O link funciona até ${until}. Ele é só para você: por favor, não o repasse.`,
  );

export const ptBR: Words = {
  locale: 'pt-BR',
  greeting: (name) => (name ? `Olá, ${name}!` : 'Olá!'),
  reason: (domain) =>
    `Você recebeu este e-mail porque ${domain} indicou este endereço como o de um dos seus guardiões. É um aviso sobre este assunto, não é propaganda.`,
  letter: {
    invitation: (facts) => ({
      subject: `Você aceita ser um dos guardiões de ${facts.domain}?`,
      blocks: [
        text(
          `A pessoa que usa a identidade ${facts.domain} nos passou este endereço e gostaria que você fosse um dos guardiões dela.`,
        ),
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
      subject: `Lembrete: você aceita ser um dos guardiões de ${facts.domain}?`,
      blocks: [
        text(
          `Há dois dias escrevemos a você porque a pessoa que usa a identidade ${facts.domain} gostaria que você fosse um dos guardiões dela. Ela ainda não teve resposta.`,
        ),
        text(GUARDIANS),
        text(HOW),
        ...decide(facts),
        text('Se preferir não aceitar, você não precisa fazer nada. Não enviaremos outro lembrete.'),
        text(CARE),
      ],
    }),
    recovery: (facts) => ({
      subject: `Pedido de recuperação de ${facts.domain}`,
      blocks: [
        text(
          `Você é um dos guardiões de ${facts.domain}. Alguém pede para passar essa identidade para uma chave nova: talvez a pessoa que você conhece, que perdeu a dela; talvez alguém que se faz passar por ela. Você consegue descobrir; nós não.`,
        ),
        important(
          'Antes de abrir o link, telefone para a pessoa, por iniciativa sua, em um número que você já conhece. Não confie em e-mails nem em mensagens, e não ligue para um número que alguém tenha enviado a você.',
        ),
        text(
          'Se ela pediu mesmo, continue na ligação e abra o seu link. Ela lê seis palavras, você as digita e confirma com a sua chave de guardião.',
        ),
        ...confirm(facts),
        text(
          'Se ela não pediu, ou se você não conseguir falar com ela, não confirme nada: sem dois guardiões, nada muda. E, se não foi ela, avise-a, para que ela possa alertar os outros guardiões.',
        ),
        text(CARE_ON_PAGE),
      ],
    }),
    confirmed: (facts) => ({
      subject: `Um guardião confirmou a recuperação de ${facts.domain}`,
      blocks: [
        text(
          `Você é um dos guardiões de ${facts.domain}. Outro guardião confirmou que essa identidade deve passar para uma chave nova. São necessárias duas confirmações: falta só mais uma, que pode ser a sua.`,
        ),
        important(
          'Se você ainda não falou com a pessoa, telefone para ela agora, por iniciativa sua, em um número que você já conhece.',
        ),
        text(
          facts.link
            ? 'Se ela pediu mesmo, continue na ligação e abra o seu link. Ela lê seis palavras, você as digita e confirma com a sua chave de guardião.'
            : 'Se ela pediu mesmo, ela tem um link para você, e seis palavras para ler a você por telefone.',
        ),
        ...confirm(facts),
        text('Se ela não pediu, não confirme nada e avise-a logo, para que ela possa alertar os outros guardiões.'),
        text(CARE_ON_PAGE),
      ],
    }),
    recovered: (facts) => ({
      subject: `A identidade ${facts.domain} foi recuperada`,
      blocks: [
        text(
          `Você é um dos guardiões de ${facts.domain}. Dois guardiões confirmaram a recuperação, e a identidade agora pertence a uma chave nova. A chave antiga não funciona mais.`,
        ),
        text('Você não precisa fazer nada. A sua chave de guardião continua a mesma: guarde bem a sua cópia.'),
        important(
          `Se isso é novidade para você, telefone para a pessoa, por iniciativa sua, em um número que você já conhece. Se não foi ela quem pediu, outra pessoa controla a identidade agora. A pessoa que você conhece pode pedir imediatamente uma nova recuperação, em ${facts.recoverUrl}, e durante 24 horas ninguém pode trocar os guardiões.`,
        ),
        text(CARE),
      ],
    }),
  },
};
