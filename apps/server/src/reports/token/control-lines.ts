import { type Analysis, shortAddress } from './token-words.ts'

type Control = Analysis['control']
/** Expected, needs review, unreadable. */
type Light = 'plain' | 'look' | 'unread'

export interface ControlLine {
  readonly question: string
  readonly answer: string
  readonly light: Light
}

export const answerWords: Readonly<Record<Light, string>> = {
  plain: 'no finding',
  look: 'check this',
  unread: 'not read',
}

export function controlLines({
  proxy,
  implementation,
  owner,
  ownerKind,
  mint,
  pause,
}: Control): ControlLine[] {
  const unread = { answer: 'could not be read', light: 'unread' } as const
  const named = (value: string | null) => (value === null ? 'a contract' : shortAddress(value))
  return [
    {
      question: 'Is its code upgradeable?',
      ...(proxy.value === null
        ? unread
        : proxy.value === 'NONE'
          ? { answer: 'no proxy, by code and storage', light: 'plain' }
          : {
              answer: `it runs the code of ${named(implementation.value)} (${proxy.value})`,
              light: 'look',
            }),
    },
    {
      question: 'Does it have an owner?',
      ...(owner.value === null
        ? unread
        : owner.value === 'NONE'
          ? { answer: 'owner() returns no address, or does not exist', light: 'plain' }
          : {
              answer: `${shortAddress(owner.value)}, ${ownerText(ownerKind.value)}`,
              light: 'look',
            }),
    },
    hintOf('Can new tokens be minted?', 'mint', mint.value, unread),
    hintOf('Can transfers be paused?', 'pause', pause.value, unread),
  ]
}

const ownerText = (kind: string | null) => (kind === null ? 'of an unknown type' : ownerWords[kind])

const ownerWords: Readonly<Record<string, string>> = {
  NONE: 'nobody',
  EOA: 'a single key',
  EIP7702: 'a single key that delegates to code',
  SAFE: 'a Safe',
  CONTRACT: 'a contract',
}

function hintOf(
  question: string,
  name: string,
  value: 'SELECTOR' | 'ABSENT' | null,
  unread: Pick<ControlLine, 'answer' | 'light'>,
): ControlLine {
  if (value === null) return { question, ...unread }
  return value === 'ABSENT'
    ? { question, answer: `its code has no common ${name} function`, light: 'plain' }
    : {
        question,
        answer: `its code has a ${name} function: a hint, not proof of who can call it`,
        light: 'look',
      }
}
