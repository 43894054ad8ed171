import { AnswerJsonError, parseAnswer } from '../../answer-json.ts'
import { limits } from '../../limits.ts'
import type { ProviderAccess } from '../../services.ts'
import { FeedError } from '../feeds/feed-error.ts'
import { codeForTenants, OutboundError, OutboundFailedError } from '../outbound/outbound-error.ts'
import { openEndpoint } from '../providers/provider-endpoint.ts'
import { secretFor } from '../providers/provider-secret.ts'
import type { LanguageModel } from './configured-models.ts'
import {
  type FailedAnswer,
  jsonOfMessage,
  type ModelReply,
  type ModelSettings,
  type ModelTask,
  modelReply,
  modelRequest,
} from './model-dialects.ts'

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

const wordsTask = (sentences: readonly string[]): ModelTask => ({
  task,
  material: sentences.map((text, index) => ({ number: index + 1, text })),
  form: { name: 'sentences', schema: answerSchema },
})

/** Body of the request for the wording of sentences. */
export const wordsBody = (model: ModelSettings, sentences: readonly string[]): object =>
  modelRequest(model, wordsTask(sentences)).body

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
  model: LanguageModel,
  task: ModelTask,
  services: ProviderAccess,
  signal?: AbortSignal,
): Promise<ModelAnswer> {
  const { message, tokens } = await requestMessage(model, task, [], services, signal)
  return { message, tokens, members: readMessage(message) }
}

/**
 * Fields of a message.
 *
 * @throws FeedError ANSWER_REFUSED if it is not JSON
 */
export const readMessage = (message: string): ModelAnswer['members'] =>
  (read(Buffer.from(jsonOfMessage(message)), 'the message') ?? {}) as ModelAnswer['members']

/**
 * Requests one message in the dialect of the model.
 *
 * @param failed earlier answers to the same task, with their refusals
 * @throws FeedError UNAVAILABLE without a response; ANSWER_REFUSED without a complete message
 */
export async function requestMessage(
  model: LanguageModel,
  task: ModelTask,
  failed: readonly FailedAnswer[],
  services: ProviderAccess,
  signal?: AbortSignal,
): Promise<ModelReply> {
  const { host, timeoutMilliseconds, dialect } = model
  const outbound = await services.outbound()
  const url = new URL(openEndpoint(host, host.organizationId, services.sealing))
  const place = { organizationId: host.organizationId, host: url.hostname }
  const secret = secretFor(host.credentialReference, place, services.sealing)
  const request = modelRequest(model, task, failed, secret)
  url.pathname = joinPaths(url.pathname, request.path)
  try {
    const { status, headers, body } = await outbound.request(url.href, {
      method: 'POST',
      headers: {
        accept: 'application/json',
        'content-type': 'application/json',
        ...request.headers,
      },
      body: JSON.stringify(request.body),
      timeoutMs: timeoutMilliseconds,
      maxBytes: limits.modelAnswerBytes,
      ...(signal ? { signal } : {}),
    })
    if (status !== 200) throw new ModelStatusError(status, body)
    const type = headers['content-type']
    if (type === undefined || !/^application\/json\s*(;|$)/i.test(type)) {
      throw FeedError.refused('SHAPE', 'it is not JSON')
    }
    return modelReply(dialect, read(body, 'the answer'))
  } catch (error) {
    if (error instanceof ModelStatusError) {
      throw FeedError.unavailable(describeStatus(error.status), { cause: error })
    }
    if (!(error instanceof OutboundError)) throw error
    if (error instanceof OutboundFailedError && error.code === 'ANSWER_TOO_LARGE') {
      throw FeedError.refused('TOO_LARGE', `more than ${limits.modelAnswerBytes} bytes`)
    }
    throw FeedError.unavailable(codeForTenants(error.code), { cause: error })
  }
}

/** HTTP status of a failed request with the response text, which is never shown. */
export class ModelStatusError extends Error {
  override readonly name = 'ModelStatusError'
  readonly status: number
  readonly body: string

  constructor(status: number, body: Uint8Array) {
    super(`HTTP ${status}`)
    this.status = status
    this.body = new TextDecoder().decode(body.subarray(0, 4_096))
  }
}

/** Meaning of a status, for the person who set up the provider. */
function describeStatus(status: number): string {
  const meaning = statusMeanings[status]
  return meaning === undefined ? `HTTP ${status}` : `HTTP ${status}: ${meaning}`
}

const statusMeanings: Readonly<Record<number, string>> = {
  400: 'the provider rejects a setting of the request',
  401: 'the provider rejects the key',
  402: 'the account has no credit',
  403: 'the key may not use this model',
  404: 'the provider does not know this path or model',
  429: 'the provider limits requests or tokens',
}

/** `/v1` at the end of an endpoint and at the start of a path counts once. */
function joinPaths(base: string, path: string): string {
  const start = base.replace(/\/$/, '')
  return start.endsWith('/v1') && path.startsWith('/v1/')
    ? `${start}${path.slice('/v1'.length)}`
    : `${start}${path}`
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
