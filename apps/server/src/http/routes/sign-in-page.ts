/** Layout of the sign-in pages. */
export const signInStyle = `:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center;
  background: light-dark(#f4f6f8, #10151b); color: light-dark(#14202b, #e8edf2); }
main { width: min(30rem, 90vw); box-sizing: border-box; padding: 2rem; border-radius: 12px;
  background: light-dark(#fff, #18202a); box-shadow: 0 1px 3px light-dark(#0002, #0008); }
h1 { font-size: 1.25rem; margin: 0 0 1rem; }
label { display: block; font-weight: 600; margin-bottom: .25rem; }
input, button { font: inherit; width: 100%; box-sizing: border-box; padding: .6rem .8rem;
  border-radius: 8px; border: 1px solid light-dark(#9aa7b4, #4a5a6a); background: transparent; color: inherit; }
button { margin-top: 1rem; background: #0b5cad; border-color: #0b5cad; color: #fff; font-weight: 600; cursor: pointer; }
:focus-visible { outline: 3px solid #f2a33a; outline-offset: 2px; }
p[role=status] { min-height: 1.5em; margin: 1rem 0 0; }
`

/** Landing page of a sign-in link. Opening it does not redeem the link; the button does. */
export const signInPage = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>Sign in · Liquidity OS</title>
<style>
${signInStyle}</style>
</head>
<body>
<main>
<h1>Liquidity OS</h1>
<form id="redeem" hidden>
<p>You opened a sign-in link. It works once, in the browser that requested it.</p>
<button type="submit">Sign in</button>
</form>
<form id="request" hidden>
<label for="email">Email address</label>
<input id="email" name="email" type="email" autocomplete="email" required>
<button type="submit">Send sign-in link</button>
</form>
<p id="openid" hidden><a href="/auth/openid"></a></p>
<p role="status" aria-live="polite"></p>
<noscript>Sign-in requires JavaScript: the address never contains the secret of the link.</noscript>
</main>
<script src="/auth/sign-in.js" defer></script>
</body>
</html>
`

export const signInScript = `const token = location.hash.slice(1)
const status = document.querySelector('[role=status]')
const form = document.getElementById(token ? 'redeem' : 'request')
form.hidden = false
if (!token) {
  fetch('/auth/methods').then((answer) => answer.json()).then(({ data }) => {
    if (!data.openId) return
    const way = document.getElementById('openid')
    way.firstChild.textContent = 'Sign in with ' + data.openId.name
    way.hidden = false
  })
}
// If a user opens a link in a tab that shows this page, only the URL fragment changes.
addEventListener('hashchange', () => location.reload())
form.addEventListener('submit', async (event) => {
  event.preventDefault()
  const body = token ? { token } : { email: form.email.value }
  const answer = await fetch(token ? '/auth/email-links/redeem' : '/auth/email-links', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (answer.ok) {
    history.replaceState(null, '', '/auth/sign-in')
    form.hidden = true
    status.textContent = token ? 'You are signed in.' : 'If the address has an account, a link was sent. It is valid for 15 minutes.'
    if (token) setTimeout(() => location.assign('/'), 800)
  } else {
    const { error } = await answer.json()
    status.textContent = [error.message, error.remediation].filter(Boolean).join(' ')
  }
})
`
