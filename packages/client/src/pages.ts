interface Page<Item> {
  readonly body: {
    readonly data: readonly Item[]
    readonly meta: { readonly hasMore: boolean; readonly nextCursor?: string | undefined }
  }
}

type Asked = { readonly query?: Readonly<Record<string, unknown>> | undefined } | undefined

/**
 * Everything that a list has, page by page as it is asked for:
 *
 *     for await (const venue of each(client.listVenues)) …
 *
 * @param list    an operation whose answer is a page
 * @param request filters and the size of a page; `query.cursor` begins behind it
 */
export async function* each<Item, Request extends Asked>(
  list: (request: Request) => Promise<Page<Item>>,
  request?: NoInfer<Request>,
): AsyncGenerator<Item, void, undefined> {
  for (let cursor: string | undefined; ; ) {
    const query = cursor === undefined ? request?.query : { ...request?.query, cursor }
    // The same request, a page further on.
    const { body } = await list({ ...request, ...(query ? { query } : {}) } as Request)
    yield* body.data
    if (!body.meta.hasMore || body.meta.nextCursor === undefined) return
    cursor = body.meta.nextCursor
  }
}
