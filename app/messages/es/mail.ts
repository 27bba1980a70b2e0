/** La página del enlace de nuestros correos para no recibir ninguno más. */
export default {
  title: 'Correos de Perpetua',
  stopTitle: '¿No quiere recibir más correos nuestros?',
  stopWhat:
    'Escribimos a esta dirección porque alguien la indicó como la de un guardián. Si pulsa el botón, no le enviaremos más correos, la indique quien la indique.',
  stopKnow:
    'Si es guardián, lo sigue siendo. Pero cuando alguien pida su ayuda o confirme una recuperación, ya no lo sabrá por nosotros: la persona tendrá que enviarle el enlace.',
  stop: 'No quiero más correos',
  stoppedTitle: 'Ya no recibe correos nuestros',
  stoppedWhat:
    'No enviamos más correos a esta dirección, la indique quien la indique. Un correo que ya salió todavía puede llegar.',
  stoppedKnow: 'Nadie se entera. Quien le quiera como guardián puede enviarle el enlace por su cuenta.',
  resume: 'Quiero recibir correos otra vez',
  unknownTitle: 'Este enlace no funciona',
  unknownWhat: 'Quizá no se copió entero.',
  unknownTodo: 'Ábralo de nuevo desde el final del correo, o cópielo entero.',
  busyTitle: 'Ahora no podemos consultarlo',
  busyWhat: 'No ha cambiado nada. Inténtelo de nuevo en unos minutos.',
};
