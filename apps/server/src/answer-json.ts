import { parseStrict, StrictJsonError } from '@liquidity-os/evidence'
import { limits } from './limits.ts'

/** An answer from outside that cannot be used as JSON. */
export class AnswerJsonError extends Error {
  override readonly name = 'AnswerJsonError'
  readonly fault: 'SHAPE' | 'TOO_LARGE' | 'TOO_DEEP'

  constructor(fault: AnswerJsonError['fault'], detail: string) {
    super(detail)
    this.fault = fault
  }
}

/**
 * Parses a response from an external host. Limits nesting and member count before building values,
 * because the other side controls them. One megabyte of `[1,1,…` contains half a million members.
 *
 * @param numbers TEXT returns numbers as written, without losing digits. A string and a number with
 * equal characters then compare equal.
 * @throws AnswerJsonError
 */
export function parseAnswer(body: Uint8Array, numbers: 'TEXT' | 'NUMBER' = 'NUMBER'): unknown {
  try {
    const value = parseStrict(body, {
      maximumDepth: limits.answerNesting,
      maximumParts: limits.answerParts,
    })
    return numbers === 'NUMBER' ? value : JSON.parse(quoteNumbers(new TextDecoder().decode(body)))
  } catch (error) {
    if (!(error instanceof StrictJsonError)) throw error
    if (error.reason === 'TOO_DEEP') {
      throw new AnswerJsonError('TOO_DEEP', `nested deeper than ${limits.answerNesting} levels`)
    }
    if (error.reason === 'TOO_MANY_PARTS') {
      throw new AnswerJsonError('TOO_LARGE', `more than ${limits.answerParts} fields and items`)
    }
    throw new AnswerJsonError('SHAPE', `not valid JSON (${error.reason})`)
  }
}

/** A string, which is skipped, or a number. */
const stringOrNumber = /"(?:[^"\\]|\\.)*"|-?[0-9][0-9.eE+-]*/g

/** JSON text with every number turned into a string. */
function quoteNumbers(text: string): string {
  return text.replace(stringOrNumber, (token) => (token.startsWith('"') ? token : `"${token}"`))
}
