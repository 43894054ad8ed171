import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'

const folder = new URL('../../../verifier/', import.meta.url)
const read = (name: string) => readFileSync(new URL(name, folder), 'utf8')

/** Comments in `verify.mjs` that delimit its portable checks; the rest requires Node. */
const [firstPortable, firstOfCommandLine] = ['// Bytes.\n', '// The command line.\n']

/** A module as part of a script: without its imports, which come before it, and without its exports. */
const inline = (text: string): string =>
  text.replace(/^import .*\n/gm, '').replace(/^export (?=function|const)/gm, '')

/** The checks of `verify.mjs` that run in a browser, unchanged. */
function portableChecks(): string {
  const text = read('verify.mjs')
  const [from, to] = [text.indexOf(firstPortable), text.indexOf(firstOfCommandLine)]
  if (from < 0 || to < from)
    throw new Error('verify.mjs lacks the comment before or after its checks.')
  return text.slice(from, to)
}

/**
 * Assembles the page that checks a verification bundle in a browser: one file without dependencies. Its
 * content security policy lets it run its own script and style only; it can neither load nor send anything.
 *
 * @returns the HTML; the same source gives the same bytes
 */
export function assembleVerifierPage(): string {
  const primitives = `const { sha256, isEd25519 } = (() => {\n${inline(read('page/primitives.mjs'))}\nreturn { sha256, isEd25519 }\n})()\n`
  const script = `\n${[primitives, inline(portableChecks()), inline(read('page/page.mjs'))].join('\n')}`
  if (script.includes('</script')) throw new Error('The script contains its own end tag.')
  const style = `\n${read('page/page.css')}`
  const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`
  const policy = `default-src 'none'; script-src ${hash(script)}; style-src ${hash(style)}; base-uri 'none'; form-action 'none'`
  const replacements: Readonly<Record<string, string>> = {
    '<meta charset="utf-8">': `<meta charset="utf-8">\n<meta http-equiv="Content-Security-Policy" content="${policy}">`,
    '<link rel="stylesheet" href="page.css">': `<style>${style}</style>`,
    '<script type="module" src="page.mjs"></script>': `<script type="module">${script}</script>`,
  }
  return Object.entries(replacements).reduce((page, [tag, part]) => {
    if (!page.includes(tag)) throw new Error(`page.html lacks ${tag}.`)
    return page.replace(tag, () => part)
  }, read('page/page.html'))
}
