import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import {
  type AddressInfo,
  createServer as createSocketServer,
  type Socket,
  type Server as SocketServer,
} from 'node:net'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { afterEach, describe, expect, it } from 'vitest'
import type { Outbound } from '../../outbound.ts'
import { createOutbound, type OutboundOptions } from './outbound.ts'
import { OutboundError, OutboundRefusedError } from './outbound-error.ts'
import { makeTestCertificate } from './testing/certificate.ts'
import { innerUrls } from './testing/inner-addresses.ts'

const closing: (() => unknown)[] = []
afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()))
})

async function portOf(server: Server | SocketServer): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

async function httpServer(listener: RequestListener): Promise<number> {
  const server = createServer(listener)
  closing.push(
    () => server.closeAllConnections(),
    () => server.close(),
  )
  return await portOf(server)
}

/** A server that answers with exactly these bytes; `after` decides what becomes of the socket. */
async function rawServer(bytes: string, after: (socket: Socket) => unknown): Promise<number> {
  const sockets = new Set<Socket>()
  const server = createSocketServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => socket.destroy())
    socket.once('data', () => socket.write(bytes, () => after(socket)))
  })
  closing.push(
    () => server.close(),
    () => sockets.forEach((socket) => void socket.destroy()),
  )
  return await portOf(server)
}

function outbound(options: Partial<OutboundOptions> = {}): Outbound {
  const made = createOutbound({ allowHttp: true, ...options })
  closing.push(() => made.close())
  return made
}

/** An outbound that may reach this port of the loopback address, and its URL. */
function reaching(port: number): { client: Outbound; url: string } {
  const pair = `127.0.0.1:${port}`
  return { client: outbound({ allow: [pair] }), url: `http://${pair}/` }
}

async function codeOf(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => null,
    (reason: unknown) => reason,
  )
  if (!(error instanceof OutboundError)) throw new Error('Not an OutboundError.', { cause: error })
  return error.code
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = ''
  for await (const chunk of request) body += String(chunk)
  return body
}

describe('addresses', () => {
  it.each(innerUrls)('refuses %s without a byte sent', async (template) => {
    let reached = 0
    const port = await httpServer((_request, response) => {
      reached++
      response.end()
    })
    const url = template.replace('PORT', String(port))
    expect(await codeOf(outbound().request(url))).toBe('ADDRESS_NOT_PUBLIC')
    expect(await codeOf(outbound().fetch(url))).toBe('ADDRESS_NOT_PUBLIC')
    expect(reached).toBe(0)
  })

  it('refuses a name if any of its addresses is not public', async () => {
    const resolve = async () => [
      { address: '93.184.216.34', family: 4 },
      { address: '127.0.0.1', family: 4 },
    ]
    const client = outbound({ resolve })
    expect(await codeOf(client.request('http://rebind.example/'))).toBe('ADDRESS_NOT_PUBLIC')
  })

  it('resolves a name once per connection, so a second DNS response has no effect', async () => {
    const requests: string[] = []
    const resolve = async (hostname: string) => {
      requests.push(hostname)
      return [{ address: requests.length === 1 ? '10.0.0.1' : '127.0.0.1', family: 4 }]
    }
    const client = outbound({ resolve })
    expect(await codeOf(client.request('http://rebind.example/'))).toBe('ADDRESS_NOT_PUBLIC')
    expect(requests).toEqual(['rebind.example'])
  })

  it('looks at the connected socket too, should the answer change after it was checked', async () => {
    let reached = 0
    const port = await httpServer((_request, response) => {
      reached++
      response.end()
    })
    // An address that reads as public until it has been checked, and then as loopback.
    let reads = 0
    const changing = {
      get address() {
        reads += 1
        return reads === 1 ? '93.184.216.34' : '127.0.0.1'
      },
      family: 4,
    }
    const client = outbound({ resolve: async () => [changing] })
    expect(await codeOf(client.request(`http://rebind.example:${port}/`))).toBe(
      'ADDRESS_NOT_PUBLIC',
    )
    expect([reads > 1, reached]).toEqual([true, 0])
  })

  it('reaches an address that is allowed by host and port, in any spelling, and no other', async () => {
    const port = await httpServer((_request, response) => response.end('here'))
    const other = await httpServer((_request, response) => response.end('there'))
    const client = outbound({ allow: [`127.0.0.1:${port}`] })
    for (const host of ['127.0.0.1', '0x7f.1', '2130706433']) {
      const answer = await client.request(`http://${host}:${port}/`)
      expect(Buffer.from(answer.body).toString()).toBe('here')
    }
    expect(await codeOf(client.request(`http://127.0.0.1:${other}/`))).toBe('ADDRESS_NOT_PUBLIC')
    expect(await codeOf(client.request(`http://localhost:${port}/`))).toBe('ADDRESS_NOT_PUBLIC')
  })

  it('reaches an allowed name through the resolver', async () => {
    const port = await httpServer((_request, response) => response.end('named'))
    const resolve = async () => [{ address: '127.0.0.1', family: 4 }]
    const client = outbound({ allow: [`node.internal:${port}`], resolve })
    expect((await client.request(`http://node.internal:${port}/`)).status).toBe(200)
  })

  it('says when a name has no address', async () => {
    const unresolved = async () => {
      throw Object.assign(new Error('getaddrinfo ENOTFOUND'), { code: 'ENOTFOUND' })
    }
    const client = outbound({ resolve: unresolved })
    expect(await codeOf(client.request('http://nowhere.example/'))).toBe('NAME_NOT_RESOLVED')
    const empty = outbound({ resolve: async () => [] })
    expect(await codeOf(empty.request('http://nowhere.example/'))).toBe('NAME_NOT_RESOLVED')
  })
})

describe('URLs', () => {
  it('are https unless http is allowed', async () => {
    const strict = outbound({ allowHttp: false })
    expect(await codeOf(strict.request('http://example.org/'))).toBe('PROTOCOL_NOT_ALLOWED')
    for (const url of ['ftp://example.org/', 'file:///etc/passwd', 'data:,x', 'unix:/tmp/x']) {
      expect(await codeOf(outbound().request(url))).toBe('PROTOCOL_NOT_ALLOWED')
      expect(await codeOf(outbound().fetch(url))).toBe('PROTOCOL_NOT_ALLOWED')
    }
  })

  it('may be http in production for a pair that the operator allows', async () => {
    const port = await httpServer((_request, response) => response.end())
    const client = outbound({ allowHttp: false, allow: [`127.0.0.1:${port}`] })
    expect((await client.request(`http://127.0.0.1:${port}/`)).status).toBe(200)
  })

  it('hold no credentials', async () => {
    const url = 'https://user:hunter2@example.org/'
    expect(await codeOf(outbound().request(url))).toBe('CREDENTIALS_IN_URL')
    expect(await codeOf(outbound().fetch(url))).toBe('CREDENTIALS_IN_URL')
  })

  it('are parsed or refused', async () => {
    for (const url of ['', '/relative', 'http://', 'http://[::1', 'http://256.256.256.256/']) {
      expect(await codeOf(outbound().fetch(url)), url).toBe('URL_MALFORMED')
    }
  })

  it('appear in messages without what may be secret', async () => {
    const urls = [
      'https://user:hunter2@example.org/',
      'http://127.0.0.1:9/hunter2?key=hunter2#hunter2',
      'gopher://example.org/hunter2?key=hunter2',
      'http://hunter2:hunter2@[::1/',
    ]
    for (const url of urls) {
      for (const send of [outbound().request, outbound().fetch]) {
        const error: unknown = await send(url).catch((reason: unknown) => reason)
        expect(error).toBeInstanceOf(OutboundRefusedError)
        expect(String(error)).not.toContain('hunter2')
      }
    }
  })
})

describe('answers', () => {
  it('come with status, headers and body', async () => {
    const port = await httpServer(async (request, response) => {
      const body = await bodyOf(request)
      response.writeHead(201, { 'x-method': request.method ?? '', 'x-twice': ['a', 'b'] })
      response.end(`${request.headers['content-type']}:${body}`)
    })
    const { client, url } = reaching(port)
    const headers = { 'content-type': 'application/json' }
    const answer = await client.request(url, { method: 'POST', headers, body: '{"a":1}' })
    expect(answer.status).toBe(201)
    expect(answer.headers).toMatchObject({ 'x-method': 'POST', 'x-twice': 'a, b' })
    expect(Buffer.from(answer.body).toString()).toBe('application/json:{"a":1}')
  })

  it('come through fetch in all its forms', async () => {
    const port = await httpServer(async (request, response) => {
      const { method, headers } = request
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ method, key: headers['x-key'], body: await bodyOf(request) }))
    })
    const { client, url } = reaching(port)
    const init = { method: 'POST', headers: { 'x-key': 'k' }, body: 'text' }
    for (const form of [
      client.fetch(url, init),
      client.fetch(new URL(url), init),
      client.fetch(new Request(url, init)),
    ]) {
      const response = await form
      expect(response.ok).toBe(true)
      expect(await response.json()).toEqual({ method: 'POST', key: 'k', body: 'text' })
    }
  })

  it('without a body come through fetch', async () => {
    const port = await httpServer((_request, response) => response.writeHead(204).end())
    const { client, url } = reaching(port)
    const response = await client.fetch(url)
    expect([response.status, await response.text()]).toEqual([204, ''])
  })

  it('that redirect are answers, not paths to follow', async () => {
    let inside = 0
    const secret = await httpServer((_request, response) => {
      inside++
      response.end('secret')
    })
    const location = `http://127.0.0.1:${secret}/`
    const port = await httpServer((_request, response) => {
      response.writeHead(302, { location }).end()
    })
    const { client, url } = reaching(port)
    const answer = await client.request(url)
    expect([answer.status, answer.headers.location]).toEqual([302, location])
    const followed = await client.fetch(url, { redirect: 'follow' })
    expect([followed.status, followed.headers.get('location')]).toEqual([302, location])
    expect(inside).toBe(0)
  })

  it('are bounded in size, whatever length they claim', async () => {
    const port = await httpServer((_request, response) => response.end('x'.repeat(1001)))
    const { client, url } = reaching(port)
    expect((await client.request(url, { maxBytes: 1001 })).body).toHaveLength(1001)
    expect(await codeOf(client.request(url, { maxBytes: 1000 }))).toBe('ANSWER_TOO_LARGE')
  })

  it('that never end are cut off', async () => {
    const port = await httpServer((_request, response) => {
      const more = (): void => {
        while (response.write('x'.repeat(16_384)));
      }
      response.on('drain', more)
      more()
    })
    const { client, url } = reaching(port)
    expect(await codeOf(client.request(url, { maxBytes: 100_000 }))).toBe('ANSWER_TOO_LARGE')
    const head = await client.requestHead(url, { maxBytes: 1024 })
    expect([head.status, head.body.length]).toEqual([200, 1024])
  })

  it('that never begin run out of time', async () => {
    const port = await httpServer(() => undefined)
    const { client, url } = reaching(port)
    expect(await codeOf(client.request(url, { timeoutMs: 60 }))).toBe('TIMED_OUT')
    expect(await codeOf(client.requestHead(url, { timeoutMs: 60 }))).toBe('TIMED_OUT')
  })

  it('that drip run out of time, though every byte comes promptly', async () => {
    const port = await httpServer((_request, response) => {
      const drip = setInterval(() => response.write('.'), 5)
      response.on('close', () => clearInterval(drip))
    })
    const { client, url } = reaching(port)
    expect(await codeOf(client.request(url, { timeoutMs: 120 }))).toBe('TIMED_OUT')
    const head = await client.requestHead(url, { timeoutMs: 750 })
    expect(head.status).toBe(200)
    expect(Buffer.from(head.body).toString()).toMatch(/^\.+$/)
  })

  it('with slow headers time out', async () => {
    const port = await rawServer('HTTP/1.1 200 OK\r\n', (socket) => {
      const drip = setInterval(() => socket.write('x: y\r\n'), 5)
      socket.on('close', () => clearInterval(drip))
    })
    const { client, url } = reaching(port)
    expect(await codeOf(client.request(url, { timeoutMs: 100 }))).toBe('TIMED_OUT')
  })

  it('that are shorter than they claim are no answers', async () => {
    const lie = 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort'
    const port = await rawServer(lie, (socket) => socket.end())
    const { client, url } = reaching(port)
    expect(await codeOf(client.request(url))).toBe('CONNECTION_FAILED')
    const head = await client.requestHead(url)
    expect([head.status, Buffer.from(head.body).toString()]).toEqual([200, 'short'])
  })

  it('that are longer than they claim end where they claim', async () => {
    const lie = 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nfirst, and then HTTP/1.1 200 OK'
    const port = await rawServer(lie, (socket) => socket.end())
    const { client, url } = reaching(port)
    expect(Buffer.from((await client.request(url)).body).toString()).toBe('first')
  })

  it('that are not HTTP are malformed', async () => {
    for (const bytes of ['SSH-2.0-OpenSSH_9.6\r\n\r\n', 'HTTP/1.1 999999 no\r\n\r\n']) {
      const { client, url } = reaching(await rawServer(bytes, (socket) => socket.end()))
      expect(await codeOf(client.request(url))).toBe('ANSWER_MALFORMED')
    }
    const huge = `HTTP/1.1 200 OK\r\nx: ${'y'.repeat(200_000)}\r\n\r\n`
    const { client, url } = reaching(await rawServer(huge, (socket) => socket.end()))
    expect(await codeOf(client.request(url))).toBe('ANSWER_MALFORMED')
  })

  it('that break off before they begin are failures of the connection', async () => {
    const { client, url } = reaching(await rawServer('', (socket) => socket.destroy()))
    expect(await codeOf(client.request(url))).toBe('CONNECTION_FAILED')
    const port = await httpServer(() => undefined)
    await Promise.all(closing.splice(0).map((close) => close()))
    const closed = reaching(port)
    expect(await codeOf(closed.client.request(closed.url))).toBe('CONNECTION_FAILED')
  })

  it('are waited for no longer than the caller wants', async () => {
    const port = await httpServer(() => undefined)
    const { client, url } = reaching(port)
    const reason = new Error('The caller has gone.')
    const controller = new AbortController()
    const work = client.request(url, { signal: controller.signal })
    controller.abort(reason)
    await expect(work).rejects.toBe(reason)
    await expect(client.fetch(url, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
  })

  it('arrive over https from a host with a valid certificate', async () => {
    const certificate = makeTestCertificate()
    const server = createHttpsServer(certificate, (_request, response) => response.end('secret'))
    closing.push(
      () => server.closeAllConnections(),
      () => server.close(),
    )
    const port = await portOf(server)
    const client = outbound({ allowHttp: false, allow: [`localhost:${port}`] })
    const url = `https://localhost:${port}/`
    expect(await codeOf(client.request(url))).toBe('TLS_FAILED')
    const authorities = getCACertificates()
    closing.push(() => setDefaultCACertificates(authorities))
    setDefaultCACertificates([...authorities, certificate.cert])
    expect(Buffer.from((await client.request(url)).body).toString()).toBe('secret')
  })

  it('are none from a port without TLS', async () => {
    const port = await rawServer('HTTP/1.1 400 Bad Request\r\n\r\n', (socket) => socket.end())
    const client = outbound({ allow: [`127.0.0.1:${port}`] })
    expect(await codeOf(client.request(`https://127.0.0.1:${port}/`))).toBe('TLS_FAILED')
  })
})
