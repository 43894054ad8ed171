import { AnswerJsonError, parseAnswer } from '../../answer-json.ts'
import { limits } from '../../limits.ts'
import type { ProviderAccess } from '../../services.ts'
import { FeedError } from '../feeds/feed-error.ts'
import { codeForTenants, OutboundError, OutboundFailedError } from '../outbound/outbound-error.ts'
import type { LanguageModel } from '../providers/language-models.ts'
import { openEndpoint } from '../providers/provider-endpoint.ts'
import { secretFor } from '../providers/provider-secret.ts'

export interface ModelWords {
  /** In sentence order; null for sentences without a result. */
  readonly words: readonly (string | null)[]
  /** Tokens used according to the provider; null if not reported. */
  readonly tokens: number | null
}

/** Prompt of the model. @language-data */
const task = [
  'You get the sentences of a report by number. Return each of them unchanged, to the letter.',
  'Where it helps the text to read well, put an opener before a sentence: "According to the report,",',
  '"As the records show," or "The evidence shows that". Add nothing else.',
  'A mark such as [[1]] stands for a value that you are not shown. Answer in the form of the schema.',
].join(' ')

const answerSchema = {
  type: 'object',
  properties: {
    sentences: {
      type: 'array',
      items: {
        type: 'object',
        properties: { number: { type: 'integer' }, text: { type: 'string' } },
        required: ['number', 'text'],
        additionalProperties: false,
      },
    },
  },
  required: ['sentences'],
  additionalProperties: false,
}

/** Task, material and response format for a model. */
export interface ModelTask {
  readonly task: string
  /** Sent as JSON: it is material, not part of the task. */
  readonly material: unknown
  readonly form: { readonly name: string; readonly schema: object }
}

/** Request body; temperature 0 for results as reproducible as possible. */
export const modelRequest = (model: string, { task, material, form }: ModelTask) => ({
  model,
  temperature: 0,
  max_tokens: limits.modelAnswerTokens,
  messages: [
    { role: 'system', content: task },
    { role: 'user', content: JSON.stringify(material) },
  ],
  response_format: {
    type: 'json_schema',
    json_schema: { name: form.name, strict: true, schema: form.schema },
  },
})

const wordsTask = (sentences: readonly string[]): ModelTask => ({
  task,
  material: sentences.map((text, index) => ({ number: index + 1, text })),
  form: { name: 'sentences', schema: answerSchema },
})

export const wordsRequest = (model: string, sentences: readonly string[]) =>
  modelRequest(model, wordsTask(sentences))

/**
 * Requests other wording for sentences, once. The result is untrusted text; the caller decides on
 * its use.
 *
 * @throws FeedError UNAVAILABLE without a response; ANSWER_REFUSED if the format is wrong
 */
export async function askForWords(
  model: LanguageModel,
  sentences: readonly string[],
  services: ProviderAccess,
  signal?: AbortSignal,
): Promise<ModelWords> {
  const { members, tokens } = await askModel(model, wordsTask(sentences), services, signal)
  return { words: wordsIn(members, sentences.length), tokens }
}

export interface ModelAnswer {
  readonly message: string
  /** Fields of the message, of any type; empty if it is no object. */
  readonly members: Readonly<Record<string, unknown>>
  /** Tokens used according to the provider; null if not reported. */
  readonly tokens: number | null
}

/**
 * Queries a model once, with a deadline and a size limit.
 *
 * @throws FeedError UNAVAILABLE without a response; ANSWER_REFUSED if it is too large or not a JSON
 * message
 */
export async function askModel(
  { host, model, timeoutMilliseconds }: LanguageModel,
  requested: ModelTask,
  services: ProviderAccess,
  signal?: AbortSignal,
): Promise<ModelAnswer> {
  const outbound = await services.outbound()
  const url = new URL(openEndpoint(host, host.organizationId, services.sealing))
  url.pathname = `${url.pathname.replace(/\/$/, '')}/chat/completions`
  const place = { organizationId: host.organizationId, host: url.hostname }
  const secret = secretFor(host.credentialReference, place, services.sealing)
  try {
    const { status, headers, body } = await outbound.request(url.href, {
      method: 'POST',
      headers: {
        accept: 'application/json',
        'content-type': 'application/json',
        ...(secret === null ? {} : { authorization: `Bearer ${secret}` }),
      },
      body: JSON.stringify(modelRequest(model, requested)),
      timeoutMs: timeoutMilliseconds,
      maxBytes: limits.modelAnswerBytes,
      ...(signal ? { signal } : {}),
    })
    if (status !== 200) throw FeedError.unavailable(`HTTP ${status}`)
    const type = headers['content-type']
    if (type === undefined || !/^application\/json\s*(;|$)/i.test(type)) {
      throw FeedError.refused('SHAPE', 'it is not JSON')
    }
    return messageIn(body)
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    if (error instanceof OutboundFailedError && error.code === 'ANSWER_TOO_LARGE') {
      throw FeedError.refused('TOO_LARGE', `more than ${limits.modelAnswerBytes} bytes`)
    }
    throw FeedError.unavailable(codeForTenants(error.code), { cause: error })
  }
}

interface Completion {
  readonly choices?: readonly { readonly message?: { readonly content?: unknown } }[]
  readonly usage?: { readonly total_tokens?: unknown }
}

function messageIn(body: Uint8Array): ModelAnswer {
  const { choices, usage } = (read(body, 'the answer') ?? {}) as Completion
  const message = Array.isArray(choices) ? choices[0]?.message?.content : undefined
  if (typeof message !== 'string') throw FeedError.refused('SHAPE', 'it contains no message')
  const members = (read(Buffer.from(message), 'the message') ?? {}) as ModelAnswer['members']
  const tokens = usage?.total_tokens
  return {
    message,
    members,
    tokens: Number.isSafeInteger(tokens) && Number(tokens) >= 0 ? Number(tokens) : null,
  }
}

function wordsIn(
  { sentences }: ModelAnswer['members'],
  requestedValue: number,
): ModelWords['words'] {
  if (!Array.isArray(sentences)) throw FeedError.refused('SHAPE', 'sentences is not a list')
  const words: (string | null)[] = new Array(requestedValue).fill(null)
  for (const one of sentences as readonly { number?: unknown; text?: unknown }[]) {
    const { number, text } = one ?? {}
    const isRequested =
      Number.isInteger(number) && Number(number) >= 1 && Number(number) <= requestedValue
    if (!isRequested || typeof text !== 'string' || words[Number(number) - 1] !== null) {
      throw FeedError.refused('SHAPE', 'a sentence has no text or no unique number')
    }
    words[Number(number) - 1] = text
  }
  return words
}

function read(content: Uint8Array, what: string): unknown {
  try {
    return parseAnswer(content)
  } catch (error) {
    if (!(error instanceof AnswerJsonError)) throw error
    throw FeedError.refused(error.fault, `${what} is ${error.message}`)
  }
}
