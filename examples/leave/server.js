// Leave requests: pages that a server makes, with forms and sessions of its own. Portico stands in front of it: it
// signs people in, and reports with each request who the person is.
import { randomBytes, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import express from 'express';
import session from 'express-session';
import { personOf, porticoUrl } from './person.js';
import { approvalPage, errorPage, formPage, listPage } from './pages.js';

const { HOST = '127.0.0.1', PORT = '4001', SESSION_SECRET = randomBytes(32).toString('hex') } = process.env;

/** Stands for a database. */
const requests = [];
const script = `${new URL(porticoUrl).pathname}/portico.js`;
const contentSecurityPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; connect-src 'self'; form-action 'self'; base-uri 'none'";

const app = express();
app.disable('x-powered-by');
app.use((request, response, next) => {
  response.set({ 'Content-Security-Policy': contentSecurityPolicy, 'Cache-Control': 'private, no-cache' });
  next();
});
app.use('/public', express.static(join(import.meta.dirname, 'public')));

// Who it is stands in each request: there is no sign-in here, and no way around Portico.
app.use(async (request, response, next) => {
  request.person = await personOf(request);
  if (request.person === null)
    response.status(401).type('text').send('Only Portico may call this application.');
  else next();
});

// What is this application's own stays in a session of its own, which belongs to one person.
app.use(
  session({
    name: 'leave.sid',
    secret: SESSION_SECRET,
    resave: false,
    saveUninitialized: false,
    cookie: { httpOnly: true, sameSite: 'lax' },
  }),
);
app.use((request, response, next) => {
  if (request.session.personId === request.person.id) return next();
  return request.session.regenerate((error) => {
    if (!error) request.session.personId = request.person.id;
    next(error);
  });
});
app.use(express.urlencoded({ extended: false, limit: '20kb' }));

app.get('/', (request, response) => {
  const own = requests.filter(({ by }) => by.id === request.person.id);
  const { sent = false } = request.session;
  request.session.sent = false;
  response.send(listPage({ person: request.person, script, own, sent }));
});

app.get('/new', (request, response) => {
  response.send(
    formPage({ person: request.person, script, values: request.session.draft ?? {}, mistakes: {} }),
  );
});

// Called before maintenance takes the page away: what is half filled in is there again afterwards.
app.post('/draft', (request, response) => {
  request.session.draft = valuesIn(request.body);
  response.status(204).end();
});

app.post('/requests', (request, response) => {
  const values = valuesIn(request.body);
  const mistakes = mistakesIn(values);
  if (Object.keys(mistakes).length > 0)
    return response.status(422).send(formPage({ person: request.person, script, values, mistakes }));
  requests.push({ id: randomUUID(), by: request.person, ...values, approvedBy: null });
  Object.assign(request.session, { draft: undefined, sent: true });
  return response.redirect(303, '/');
});

// Portico refuses this path to people without the right, with a page that explains it (upstreams.json). This is
// the second lock: the application is right also where that rule is forgotten.
app.use('/approval', (request, response, next) => {
  if (request.person.rights.includes('LEAVE_APPROVE')) return next();
  return response
    .status(403)
    .send(errorPage({ person: request.person, script, text: 'You may not approve leave.' }));
});
app.get('/approval', (request, response) => {
  response.send(approvalPage({ person: request.person, script, requests }));
});
app.post('/approval/:id', (request, response) => {
  const found = requests.find(({ id }) => id === request.params.id);
  if (found !== undefined) found.approvedBy = request.person.name;
  response.redirect(303, '/approval');
});

app.use((request, response) => {
  response.status(404).send(errorPage({ person: request.person, script, text: 'There is no such page.' }));
});

app.listen(Number(PORT), HOST, () =>
  process.stdout.write(`Leave requests listen on http://${HOST}:${PORT}\n`),
);

function valuesIn(body = {}) {
  const text = (name) => (typeof body[name] === 'string' ? body[name].trim().slice(0, 500) : '');
  return { from: text('from'), until: text('until'), reason: text('reason') };
}

function mistakesIn({ from, until }) {
  const day = /^\d{4}-\d{2}-\d{2}$/;
  return {
    ...(day.test(from) ? {} : { from: 'Choose the first day.' }),
    ...(day.test(until)
      ? until < from
        ? { until: 'The last day is before the first.' }
        : {}
      : { until: 'Choose the last day.' }),
  };
}
