import { wordOf } from '../fields/meaning.ts'

/** Terms of the API that users of a form do not know. */
const machineTerms =
  /eip155:|iso4217:|2\^\d|atomic units|Pips\b|_PIPS|X18|X36|X96|RFC \d|UUIDv7|SHA-256|decimal string|Idempotency|EIP-\d|ASCII|[{}]|^[245]\d\d\b/

/** Label of an API code, for the middle of a sentence. */
function codeWords(code: string): string {
  const words = wordOf(code)
  return /^[A-Z][a-z]+(?: [a-z]|$)/.test(words)
    ? `${words.charAt(0).toLowerCase()}${words.slice(1)}`
    : words
}

/** The description of a member as help for its field: codes as words, without sentences on formats. */
export const helpText = (description: string | undefined): string =>
  (description ?? '')
    .replace(/^Body \w+\. /, '')
    .split(/(?<=[.;]) (?=[A-Z`])/)
    .filter((sentence) => !machineTerms.test(sentence))
    .join(' ')
    .replaceAll('`', '')
    .replace(/\b(?:[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+|REPLAY|SCENARIO|HOLD)\b/g, codeWords)
    .replace(/[;:]$/, '.')
    .replace(/^[a-z]/, (first) => first.toUpperCase())
