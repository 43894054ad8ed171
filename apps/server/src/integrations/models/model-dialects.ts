import { FeedError } from '../feeds/feed-error.ts'

export type Dialect = 'OPENAI' | 'ANTHROPIC' | 'OLLAMA'

/** Request for JSON: by schema, in any JSON form, or in the prompt only. */
export type ResponseFormat = 'JSON_SCHEMA' | 'JSON_OBJECT' | 'NONE'

/** From the strictest form to the one that every model accepts. */
export const responseFormats = [
  'JSON_SCHEMA',
  'JSON_OBJECT',
  'NONE',
] as const satisfies readonly ResponseFormat[]

/** Settings of a model. Null values are not sent. */
export interface ModelSettings {
  readonly dialect: Dialect
  readonly model: string
  readonly responseFormat: ResponseFormat
  readonly temperature: number | null
  readonly maximumTokens: number | null
  readonly tokensMember: 'max_tokens' | 'max_completion_tokens'
}

/** Task, material and response format for a model. */
export interface ModelTask {
  readonly task: string
  /** Sent as JSON: it is material, not part of the task. */
  readonly material: unknown
  readonly form: { readonly name: string; readonly schema: object }
}

/** An earlier answer and its refusals. */
export interface FailedAnswer {
  readonly message: string
  readonly refusals: readonly unknown[]
}

export interface ModelRequest {
  /** Below the path of the endpoint; a `/v1` in both counts once. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: object
}

/** A response in the terms of every dialect. */
export interface ModelReply {
  readonly message: string
  /** Tokens used according to the provider; null if not reported. */
  readonly tokens: number | null
}

interface DialectRules {
  readonly requestFor: (
    settings: ModelSettings,
    task: AskedTask,
    secret: string | null,
  ) => ModelRequest
  /** @throws FeedError ANSWER_REFUSED without a complete message */
  readonly replyIn: (answer: unknown) => ModelReply
}

interface AskedTask {
  readonly system: string
  readonly turns: readonly { readonly role: 'user' | 'assistant'; readonly content: string }[]
  readonly form: ModelTask['form']
}

/** Largest `max_tokens` where the protocol requires one and the settings have none. */
const requiredTokens = 8_000

const dialects: Record<Dialect, DialectRules> = {
  OPENAI: {
    requestFor: (
      { model, temperature, maximumTokens, tokensMember, responseFormat },
      { system, turns, form },
      secret,
    ) => ({
      path: '/chat/completions',
      headers: secret === null ? {} : { authorization: `Bearer ${secret}` },
      body: {
        model,
        ...(temperature === null ? {} : { temperature }),
        ...(maximumTokens === null ? {} : { [tokensMember]: maximumTokens }),
        messages: [{ role: 'system', content: system }, ...turns],
        ...(responseFormat === 'JSON_SCHEMA'
          ? {
              response_format: {
                type: 'json_schema',
                json_schema: { name: form.name, strict: true, schema: form.schema },
              },
            }
          : {}),
        ...(responseFormat === 'JSON_OBJECT' ? { response_format: { type: 'json_object' } } : {}),
      },
    }),
    replyIn: (answer) => {
      const { choices, usage } = membersOf(answer)
      const choice = membersOf(Array.isArray(choices) ? choices[0] : null)
      const message = membersOf(choice.message)
      refuseTools(message.tool_calls)
      return {
        message: completeText(message.content, choice.finish_reason === 'length'),
        tokens: countOf(membersOf(usage).total_tokens),
      }
    },
  },
  ANTHROPIC: {
    requestFor: (
      { model, temperature, maximumTokens, responseFormat },
      { system, turns, form },
      secret,
    ) => ({
      path: '/v1/messages',
      headers: {
        'anthropic-version': '2023-06-01',
        ...(secret === null ? {} : { 'x-api-key': secret }),
      },
      body: {
        model,
        max_tokens: maximumTokens ?? requiredTokens,
        ...(temperature === null ? {} : { temperature }),
        system,
        messages: turns,
        ...(responseFormat === 'JSON_SCHEMA'
          ? { output_config: { format: { type: 'json_schema', schema: form.schema } } }
          : {}),
      },
    }),
    replyIn: (answer) => {
      const { content, stop_reason: stopReason, usage } = membersOf(answer)
      const blocks = (Array.isArray(content) ? content : []).map(membersOf)
      refuseTools(blocks.filter(({ type }) => type === 'tool_use'))
      const texts = blocks.flatMap(({ type, text }) =>
        type === 'text' && typeof text === 'string' ? [text] : [],
      )
      const { input_tokens: read, output_tokens: written } = membersOf(usage)
      return {
        message: completeText(
          texts.length === 0 ? undefined : texts.join(''),
          stopReason === 'max_tokens',
        ),
        tokens: sumOf(read, written),
      }
    },
  },
  OLLAMA: {
    requestFor: (
      { model, temperature, maximumTokens, responseFormat },
      { system, turns, form },
      secret,
    ) => ({
      path: '/api/chat',
      headers: secret === null ? {} : { authorization: `Bearer ${secret}` },
      body: {
        model,
        stream: false,
        messages: [{ role: 'system', content: system }, ...turns],
        ...(responseFormat === 'JSON_SCHEMA' ? { format: form.schema } : {}),
        ...(responseFormat === 'JSON_OBJECT' ? { format: 'json' } : {}),
        options: {
          ...(temperature === null ? {} : { temperature }),
          ...(maximumTokens === null ? {} : { num_predict: maximumTokens }),
        },
      },
    }),
    replyIn: (answer) => {
      const members = membersOf(answer)
      const message = membersOf(members.message)
      refuseTools(message.tool_calls)
      return {
        message: completeText(message.content, members.done_reason === 'length'),
        tokens: sumOf(members.prompt_eval_count, members.eval_count),
      }
    },
  },
}

/**
 * Request of a task in the dialect of a model. Failed answers follow as turns, each with its
 * refusals, so that the model can correct them.
 */
export function modelRequest(
  settings: ModelSettings,
  { task, material, form }: ModelTask,
  failed: readonly FailedAnswer[] = [],
  secret: string | null = null,
): ModelRequest {
  const isSchemaSent = settings.responseFormat === 'JSON_SCHEMA'
  const system = isSchemaSent
    ? task
    : `${task}\nAnswer with one JSON object and no other text. Schema: ${JSON.stringify(form.schema)}`
  const turns = [
    { role: 'user' as const, content: JSON.stringify(material) },
    ...failed.flatMap(({ message, refusals }) => [
      { role: 'assistant' as const, content: message },
      {
        role: 'user' as const,
        content: JSON.stringify({
          refused: refusals,
          required: 'the whole answer again, corrected',
        }),
      },
    ]),
  ]
  return dialects[settings.dialect].requestFor(settings, { system, turns, form }, secret)
}

/**
 * Message and tokens of a response.
 *
 * @throws FeedError ANSWER_REFUSED if it has no message, is cut off or calls a tool
 */
export const modelReply = (dialect: Dialect, answer: unknown): ModelReply =>
  dialects[dialect].replyIn(answer)

const fence = '```'

/** JSON of a message; a model without a response format often puts it between code fences. */
export function jsonOfMessage(message: string): string {
  const text = message.trim()
  // No regular expression over the message: a hostile one would take cubic time.
  if (!text.startsWith(fence) || !text.endsWith(fence)) return message
  const start = text.indexOf('\n')
  const end = text.length - fence.length
  const language = text.slice(fence.length, start).trim()
  return start < 0 || start >= end || (language !== '' && language !== 'json')
    ? message
    : text.slice(start + 1, end)
}

const membersOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {}

function completeText(text: unknown, isCutOff: boolean): string {
  if (isCutOff) throw FeedError.refused('TOO_LARGE', 'it reached the maximum number of tokens')
  if (typeof text !== 'string') throw FeedError.refused('SHAPE', 'it contains no message')
  return text
}

/** No tools are sent, so a call to one is no answer. */
function refuseTools(calls: unknown): void {
  if (Array.isArray(calls) && calls.length > 0) throw FeedError.refused('SHAPE', 'it calls a tool')
}

const countOf = (value: unknown): number | null =>
  Number.isSafeInteger(value) && Number(value) >= 0 ? Number(value) : null

function sumOf(...values: readonly unknown[]): number | null {
  const counts = values.map(countOf)
  return counts.reduce<number | null>(
    (sum, count) => (sum === null || count === null ? null : sum + count),
    0,
  )
}
