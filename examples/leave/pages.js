const escapes = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escaped = (text) => String(text).replaceAll(/[&<>"']/g, (sign) => escapes[sign]);

function page({ person, script, title, body }) {
  return `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width">
  <title>${escaped(title)} · Leave</title>
  <link rel="icon" href="data:,">
  <link rel="stylesheet" href="/public/leave.css">
  <script type="module" src="${script}"></script>
  <script type="module" src="/public/leave.js"></script>
</head>
<body>
  <header>
    <strong>Leave</strong>
    <nav>
      <a href="/">My leave</a>
      <a href="/approval" data-right="LEAVE_APPROVE" ${person.rights.includes('LEAVE_APPROVE') ? '' : 'hidden'}>Approval</a>
      <a href="/desks/">Desks</a>
    </nav>
    <span>${escaped(person.name)} <small>${escaped(person.email)}</small></span>
    <button type="button" id="sign-out">Sign out</button>
  </header>
  <main>
    <h1>${escaped(title)}</h1>
    ${body}
  </main>
</body>
</html>`;
}

export function listPage({ person, script, own, sent }) {
  const rows = own.map(
    ({ from, until, reason, approvedBy }) =>
      `<tr><td>${escaped(from)}</td><td>${escaped(until)}</td><td>${escaped(reason)}</td><td>${approvedBy === null ? 'Open' : `Approved by ${escaped(approvedBy)}`}</td></tr>`,
  );
  const table =
    rows.length === 0
      ? '<p>You have not asked for leave yet.</p>'
      : `<table><thead><tr><th>First day</th><th>Last day</th><th>Reason</th><th>State</th></tr></thead><tbody>${rows.join('')}</tbody></table>`;
  const notice = sent ? '<p role="status">Your request was sent.</p>' : '';
  return page({
    person,
    script,
    title: 'My leave',
    body: `${notice}${table}<p><a class="button" href="/new">Ask for leave</a></p>`,
  });
}

export function formPage({ person, script, values, mistakes }) {
  const field = (name, label, type) => `
      <label for="${name}">${label}</label>
      <input id="${name}" name="${name}" type="${type}" maxlength="500" value="${escaped(values[name] ?? '')}" ${mistakes[name] === undefined ? '' : `aria-invalid="true" aria-describedby="${name}-mistake"`}>
      ${mistakes[name] === undefined ? '' : `<p class="mistake" id="${name}-mistake">${escaped(mistakes[name])}</p>`}`;
  return page({
    person,
    script,
    title: 'Ask for leave',
    body: `<form method="post" action="/requests" data-draft="/draft">
      ${field('from', 'First day', 'date')}
      ${field('until', 'Last day', 'date')}
      ${field('reason', 'Reason', 'text')}
      <button>Send</button>
    </form>`,
  });
}

export function approvalPage({ person, script, requests }) {
  const rows = requests.map(
    ({ id, by, from, until, reason, approvedBy }) =>
      `<tr><td>${escaped(by.name)}</td><td>${escaped(from)}</td><td>${escaped(until)}</td><td>${escaped(reason)}</td><td>${
        approvedBy === null
          ? `<form method="post" action="/approval/${escaped(id)}"><button>Approve</button></form>`
          : `Approved by ${escaped(approvedBy)}`
      }</td></tr>`,
  );
  const table =
    rows.length === 0
      ? '<p>Nobody has asked for leave.</p>'
      : `<table><thead><tr><th>Who</th><th>First day</th><th>Last day</th><th>Reason</th><th></th></tr></thead><tbody>${rows.join('')}</tbody></table>`;
  return page({ person, script, title: 'Approval', body: table });
}

export function errorPage({ person, script, text }) {
  return page({ person, script, title: 'This does not work', body: `<p>${escaped(text)}</p>` });
}
