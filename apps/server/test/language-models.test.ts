// @module-tag long
// @covers apps/server/src/integrations/models apps/server/src/families/platform/providers apps/server/src/families/operate/autonomy-policies

import type { contract } from '@liquidity-os/contract'
import type { VersionedRecord } from '@liquidity-os/evidence'
import { describe, expect } from 'vitest'
import type { ProviderPayload } from '../src/integrations/providers/chain-providers.ts'
import { hostOf } from './support/chain.ts'
import { catchUp } from './support/custody.ts'
import { started, test } from './support/fixtures.ts'
import { type ModelServer, sendMessage, startModelServer, wordsBy } from './support/model-server.ts'
import { callOperation } from './support/requests.ts'
import { newOrganization } from './support/service.ts'
import { observed, theVault, type Vaulted, vaulted } from './support/vaults.ts'

const secretName = 'PROVIDER_SECRET_DIALECTS'
process.env[secretName] = '127.0.0.1 the-secret'

const it = test
  .extend('model', { scope: 'file' }, started(startModelServer))
  .extend('settings', { scope: 'file' }, ({ testChain, model }) => ({
    OUTBOUND_ALLOW: hostOf(testChain.chain.rpcUrl, model.url),
  }))
  .extend('scene', { scope: 'file' }, async ({ service, testChain }) => {
    await catchUp(testChain.chain, service)
    return vaulted(testChain, await newOrganization(service))
  })

const reason = 'For the test'
let count = 0
const put = (model: ModelServer, scene: Vaulted, configuration: object, more: object = {}) => {
  count += 1
  const payload = {
    providerId: `model-${count}`,
    kind: 'LANGUAGE_MODEL',
    displayName: 'Model',
    endpoint: model.url,
    credentialReference: `env:${secretName}`,
    configuration: { model: 'a-model', timeoutMilliseconds: 5_000, ...configuration },
    ...more,
  }
  return callOperation<VersionedRecord<ProviderPayload>>(
    scene.owner,
    'putOperatingSystemProvider',
    { body: { payload, reason } },
  )
}
const revoke = async (scene: Vaulted, provider: VersionedRecord<ProviderPayload>) => {
  const { providerId, kind, displayName, endpoint, configuration } = provider.payload
  const payload = { providerId, kind, displayName, endpoint, configuration }
  const body = { payload, status: 'REVOKED', reason }
  const { resourceVersion: ifMatch } = provider
  await callOperation(scene.owner, 'putOperatingSystemProvider', { body, ifMatch })
}
const plain = wordsBy((text) => text)

describe('the probe of a language model', () => {
  it.for([
    ['OPENAI', '/chat/completions', 'authorization', 'Bearer the-secret'],
    ['ANTHROPIC', '/v1/messages', 'x-api-key', 'the-secret'],
    ['OLLAMA', '/api/chat', 'authorization', 'Bearer the-secret'],
  ] as const)('registers one that speaks %s', async (row, { model, scene }) => {
    const [dialect, path, header, value] = row
    model.requests.length = 0
    model.answer = wordsBy((text) => text, dialect)
    const { status, data } = await put(model, scene, { dialect })
    expect(status).toBe(201)
    expect(data.payload.probe?.facts).toMatchObject({ responseFormat: 'JSON_SCHEMA' })
    const [request] = model.requests
    expect([request?.path, request?.headers[header]]).toEqual([path, value])
    expect(model.requests).toHaveLength(1)
    await revoke(scene, data)
  })

  it('finds the strictest settings that the model accepts', async ({ model, scene }) => {
    model.requests.length = 0
    model.answer = (question, response) => {
      const body = JSON.parse(question.text)
      const refuse = (message: string) =>
        response
          .writeHead(400, { 'content-type': 'application/json' })
          .end(JSON.stringify({ error: { message } }))
      if (body.max_tokens) return refuse('Use max_completion_tokens instead.')
      if (body.temperature === 0) return refuse('temperature does not support 0')
      if (body.response_format?.type === 'json_schema') return refuse('unknown response_format')
      if (body.response_format) return sendMessage(response, 'Sure, here it is: {}')
      const sentences = question.sentences.map(({ number, text }) => ({ number, text }))
      sendMessage(response, `\`\`\`json\n${JSON.stringify({ sentences })}\n\`\`\``)
    }
    const { status, data } = await put(model, scene, { dialect: 'OPENAI' })
    expect(status).toBe(201)
    expect(data.payload.probe?.facts).toEqual({
      responseFormat: 'NONE',
      temperature: 'NOT_SENT',
      tokensMember: 'max_completion_tokens',
    })
    expect(model.requests).toHaveLength(5)
    await revoke(scene, data)
  })

  it('changes no setting that the configuration fixes', async ({ model, scene }) => {
    model.requests.length = 0
    model.answer = (_, response) => sendMessage(response, 'Sure!')
    const fixed = { dialect: 'OPENAI', responseFormat: 'JSON_SCHEMA', temperature: 1 }
    const { status, code, fieldErrors } = await put(model, scene, fixed)
    expect([status, code]).toEqual([422, 'LIQUIDITY_PROVIDER_PROBE_FAILED'])
    expect(fieldErrors.WORDS_ANSWERED?.[0]).toContain('not valid JSON')
    expect(model.requests).toHaveLength(1)
    expect(JSON.parse(model.requests[0]?.text ?? '')).toMatchObject({ temperature: 1 })
  })

  it.for([
    [401, 'HTTP 401: the provider rejects the key'],
    [404, 'HTTP 404: the provider does not know this path or model'],
    [429, 'HTTP 429: the provider limits requests or tokens'],
  ] as const)('states the meaning of status %i', async ([answered, words], { model, scene }) => {
    model.answer = (_, response) => response.writeHead(answered).end('the-secret')
    const { status, fieldErrors } = await put(model, scene, { dialect: 'OPENAI' })
    expect([status, fieldErrors.WORDS_ANSWERED?.[0]]).toEqual([
      422,
      `expected one sentence of text, observed ${words}`,
    ])
  })

  it.for([
    [{}, 'dialect', 'must be OPENAI, ANTHROPIC or OLLAMA, got no value'],
    [{ dialect: 'GEMINI' }, 'dialect', 'must be one of'],
    [
      { dialect: 'OLLAMA', protocol: 'OPENAI_CHAT' },
      'dialect',
      'must be OPENAI with protocol OPENAI_CHAT, got "OLLAMA"',
    ],
    [{ dialect: 'OPENAI', temperature: 3 }, 'temperature', '2'],
    [{ dialect: 'OLLAMA', tokensMember: 'max_tokens' }, 'tokensMember', 'must be omitted'],
  ] as const)(
    'rejects the configuration %j',
    async ([configuration, field, words], { model, scene }) => {
      const { status, fieldErrors } = await put(model, scene, configuration)
      expect(status).toBe(422)
      expect(fieldErrors[`payload.configuration.${field}`]?.join()).toContain(words)
    },
  )
})

describe('a policy draft by a language model', () => {
  const corrected = 'slippage at most 0.5 %'
  const proposal = (sentence: string) =>
    JSON.stringify({ sentences: [{ number: 1, quote: corrected, sentence }] })

  it.for(['OPENAI', 'ANTHROPIC', 'OLLAMA'] as const)(
    'corrects a rejected sentence in the dialect %s and seals every attempt',
    async (dialect, { model, scene, service }) => {
      await observed(service, scene)
      const vault = await theVault(scene.owner)
      model.answer = wordsBy((text) => text, dialect)
      const { data: provider } = await put(model, scene, { dialect })
      model.requests.length = 0
      const answers = ['no JSON', proposal('slippage at most 50 %'), proposal(corrected)]
      model.answer = (_, response) =>
        sendMessage(response, answers[model.requests.length - 1] ?? '', dialect)
      const { status, data } = await callOperation<{
        draft: VersionedRecord<contract.PolicyIntentDraft>
      }>(scene.owner, 'createPolicyIntentDrafts', {
        body: {
          payload: { vaultId: vault.id, text: corrected, baseline: 'NONE', extractor: 'MODEL' },
          reason,
        },
      })
      expect(status).toBe(201)
      const { suggestion, values } = data.draft.payload
      expect(values.find(({ field }) => field === 'maximumSlippagePips')?.value).toBe(5_000)
      expect(suggestion).toMatchObject({ attempts: 3, tokens: 963 })
      const lastRequest = JSON.parse(model.requests[2]?.text ?? '{}')
      expect(JSON.parse(lastRequest.messages.at(-1).content).refused).toEqual([
        {
          pointer: '/sentences/0',
          expected: 'a sentence with exactly what its quote says',
          got: 'slippage at most 50 %',
        },
      ])
      const sealed = await service.services.artifacts.find(
        scene.owner.organizationId,
        suggestion?.attemptsHash ?? '',
      )
      const transcript = JSON.parse(Buffer.from(sealed ?? []).toString())
      expect(transcript.attempts.map(({ message }: { message: string }) => message)).toEqual(
        answers,
      )
      expect(JSON.stringify(transcript)).not.toContain('the-secret')
      await revoke(scene, provider)
    },
  )

  it('keeps the best of three answers', async ({ model, scene, service }) => {
    await observed(service, scene)
    const vault = await theVault(scene.owner)
    model.answer = plain
    const { data: provider } = await put(model, scene, { dialect: 'OPENAI' })
    model.requests.length = 0
    const one = { number: 1, quote: corrected, sentence: corrected }
    const wrong = { number: 7, quote: 'nothing', sentence: 'level 1' }
    // An empty answer has no rejected sentence, and less content.
    const answers = [[wrong, wrong], [one, wrong], []]
    model.answer = (_, response) =>
      sendMessage(response, JSON.stringify({ sentences: answers[model.requests.length - 1] }))
    const { data } = await callOperation<{ draft: VersionedRecord<contract.PolicyIntentDraft> }>(
      scene.owner,
      'createPolicyIntentDrafts',
      {
        body: {
          payload: { vaultId: vault.id, text: corrected, baseline: 'NONE', extractor: 'MODEL' },
          reason,
        },
      },
    )
    const { suggestion, values } = data.draft.payload
    expect(values.map(({ field }) => field)).toContain('maximumSlippagePips')
    expect(suggestion?.proposed.map(({ outcome }) => outcome)).toEqual(['READ', 'QUOTE_NOT_FOUND'])
    expect(suggestion?.attempts).toBe(3)
    await revoke(scene, provider)
  })
})
