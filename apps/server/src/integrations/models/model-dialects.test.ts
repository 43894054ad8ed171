import { describe, expect, it } from 'vitest'
import { FeedError } from '../feeds/feed-error.ts'
import { jsonOfMessage, type ModelSettings, modelReply, modelRequest } from './model-dialects.ts'

const schema = { type: 'object', properties: {}, required: [] }
const task = { task: 'Do it.', material: ['a'], form: { name: 'sentences', schema } }
const settings = (change: Partial<ModelSettings>): ModelSettings => ({
  dialect: 'OPENAI',
  model: 'a-model',
  responseFormat: 'JSON_SCHEMA',
  temperature: 0,
  maximumTokens: 500,
  tokensMember: 'max_tokens',
  ...change,
})

describe('a request to a language model', () => {
  it('has the form of the OpenAI chat API', () => {
    expect(modelRequest(settings({}), task, [], 'key')).toEqual({
      path: '/chat/completions',
      headers: { authorization: 'Bearer key' },
      body: {
        model: 'a-model',
        temperature: 0,
        max_tokens: 500,
        messages: [
          { role: 'system', content: 'Do it.' },
          { role: 'user', content: '["a"]' },
        ],
        response_format: {
          type: 'json_schema',
          json_schema: { name: 'sentences', strict: true, schema },
        },
      },
    })
    const newer = { tokensMember: 'max_completion_tokens', temperature: null } as const
    const body = modelRequest(settings(newer), task).body
    expect(body).toMatchObject({ max_completion_tokens: 500 })
    expect(Object.keys(body)).not.toEqual(expect.arrayContaining(['max_tokens']))
    expect(Object.keys(body)).not.toContain('temperature')
  })

  it('has the form of the Anthropic Messages API', () => {
    const anthropic = settings({ dialect: 'ANTHROPIC', temperature: null })
    expect(modelRequest(anthropic, task, [], 'key')).toEqual({
      path: '/v1/messages',
      headers: { 'anthropic-version': '2023-06-01', 'x-api-key': 'key' },
      body: {
        model: 'a-model',
        max_tokens: 500,
        system: 'Do it.',
        messages: [{ role: 'user', content: '["a"]' }],
        output_config: { format: { type: 'json_schema', schema } },
      },
    })
    const unlimited = modelRequest({ ...anthropic, maximumTokens: null }, task).body
    expect(unlimited).toMatchObject({ max_tokens: 8_000 })
  })

  it('has the form of the Ollama chat API', () => {
    expect(modelRequest(settings({ dialect: 'OLLAMA' }), task)).toEqual({
      path: '/api/chat',
      headers: {},
      body: {
        model: 'a-model',
        stream: false,
        messages: [
          { role: 'system', content: 'Do it.' },
          { role: 'user', content: '["a"]' },
        ],
        format: schema,
        options: { temperature: 0, num_predict: 500 },
      },
    })
  })

  it.each(['OPENAI', 'ANTHROPIC', 'OLLAMA'] as const)(
    'states the schema in the prompt of %s if the format does not',
    (dialect) => {
      for (const responseFormat of ['JSON_OBJECT', 'NONE'] as const) {
        const { body } = modelRequest(settings({ dialect, responseFormat }), task)
        expect(JSON.stringify(body)).toContain('Answer with one JSON object and no other text')
      }
    },
  )

  it.each(['OPENAI', 'ANTHROPIC', 'OLLAMA'] as const)(
    'returns a failed answer to %s with its refusals',
    (dialect) => {
      const failed = [{ message: '{"x":1}', refusals: [{ pointer: '/x' }] }]
      const { body } = modelRequest(settings({ dialect }), task, failed)
      const { messages } = body as { messages: { role: string; content: string }[] }
      expect(messages.slice(-2)).toEqual([
        { role: 'assistant', content: '{"x":1}' },
        {
          role: 'user',
          content: '{"refused":[{"pointer":"/x"}],"required":"the whole answer again, corrected"}',
        },
      ])
    },
  )
})

describe('the response of a language model', () => {
  it.each([
    ['OPENAI', { choices: [{ message: { content: '{}' } }], usage: { total_tokens: 7 } }],
    [
      'ANTHROPIC',
      {
        content: [{ type: 'thinking' }, { type: 'text', text: '{' }, { type: 'text', text: '}' }],
        usage: { input_tokens: 5, output_tokens: 2 },
      },
    ],
    ['OLLAMA', { message: { content: '{}' }, prompt_eval_count: 5, eval_count: 2 }],
  ] as const)('of %s has a message and its tokens', (dialect, answer) => {
    expect(modelReply(dialect, answer)).toEqual({ message: '{}', tokens: 7 })
  })

  it.each([
    ['OPENAI', { choices: [{ message: { content: '{' }, finish_reason: 'length' }] }, 'maximum'],
    ['ANTHROPIC', { content: [{ type: 'text', text: '{' }], stop_reason: 'max_tokens' }, 'maximum'],
    ['OLLAMA', { message: { content: '{' }, done_reason: 'length' }, 'maximum'],
    ['OPENAI', { choices: [{ message: { content: '{}', tool_calls: [{}] } }] }, 'calls a tool'],
    [
      'ANTHROPIC',
      { content: [{ type: 'tool_use' }, { type: 'text', text: '{}' }] },
      'calls a tool',
    ],
    ['OLLAMA', { message: { content: '{}', tool_calls: [{}] } }, 'calls a tool'],
    ['OPENAI', { choices: [{ message: { refusal: 'no', content: null } }] }, 'no message'],
    ['ANTHROPIC', { content: [], stop_reason: 'refusal' }, 'no message'],
    ['OLLAMA', { error: 'model not found' }, 'no message'],
    ['OPENAI', null, 'no message'],
  ] as const)('of %s is refused: %j', (dialect, answer, why) => {
    expect(() => modelReply(dialect, answer)).toThrow(FeedError)
    expect(() => modelReply(dialect, answer)).toThrow(why)
  })

  it('may hold its JSON between code fences', () => {
    expect(JSON.parse(jsonOfMessage('```json\n{"a":1}\n```\n'))).toEqual({ a: 1 })
    expect(JSON.parse(jsonOfMessage('```\n{"a":1}```'))).toEqual({ a: 1 })
    expect(jsonOfMessage('```js\n{}\n```')).toBe('```js\n{}\n```')
    expect(jsonOfMessage('```')).toBe('```')
    // One pass over a megabyte of newlines; a backtracking search would not end.
    const hostile = `\`\`\`${'\n'.repeat(2 ** 20)}x`
    expect(jsonOfMessage(hostile)).toBe(hostile)
    expect(jsonOfMessage('{"a":"```"}')).toBe('{"a":"```"}')
    expect(jsonOfMessage('Sure! ```json\n{}\n```')).toBe('Sure! ```json\n{}\n```')
  })
})
