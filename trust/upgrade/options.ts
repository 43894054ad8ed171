import { parseArgs } from 'node:util'

/** A sign-in counts as recent for 600 s, and some changes of the load need a recent one. */
export const maxSeconds = 480

export interface Options {
  /** Name of the commit of the release before; null for the newest that is old enough. */
  readonly before: string | null
  readonly seconds: number
  /** Steps a second. */
  readonly rate: number
  readonly seed: number
}

/** The options of the command line, or what is wrong with them. */
export type Parsed =
  | { readonly kind: 'OPTIONS'; readonly options: Options }
  | { readonly kind: 'HELP' }
  | { readonly kind: 'INVALID'; readonly message: string }

/** @param seed used if the command line names none */
export function parseOptions(args: readonly string[], seed: number): Parsed {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        before: { type: 'string' },
        seconds: { type: 'string', default: '60' },
        rate: { type: 'string', default: '20' },
        seed: { type: 'string', default: String(seed) },
        help: { type: 'boolean', default: false },
      },
    })
    if (values.help) return { kind: 'HELP' }
    const options = {
      before: values.before ?? null,
      seconds: Number(values.seconds),
      rate: Number(values.rate),
      seed: Number(values.seed),
    }
    const message = findMistake(options)
    return message === null ? { kind: 'OPTIONS', options } : { kind: 'INVALID', message }
  } catch (error) {
    // An unknown option, or one without its value.
    return { kind: 'INVALID', message: (error as Error).message }
  }
}

function findMistake({ before, seconds, rate, seed }: Options): string | null {
  if (before === '') return '--before must name a commit.'
  if (!(seconds > 0 && seconds <= maxSeconds)) {
    return `--seconds must be above 0 and at most ${maxSeconds}.`
  }
  if (!(rate > 0 && rate <= 1_000)) return '--rate must be above 0 and at most 1000.'
  return Number.isInteger(seed) ? null : '--seed must be an integer.'
}
