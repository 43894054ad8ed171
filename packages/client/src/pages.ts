interface Page<Item> {
  readonly body: {
    readonly data: readonly Item[]
    readonly meta: { readonly hasMore: boolean; readonly nextCursor?: string | undefined }
  }
}

type QueryInput = { readonly query?: Readonly<Record<string, unknown>> | undefined } | undefined

/**
 * Iterates over a whole list, loading pages on demand:
 *
 *     for await (const venue of each(client.listVenues)) …
 *
 * @param list an operation that returns a page
 * @param request filters and page size; `query.cursor` starts after it
 */
export async function* each<Item, Request extends QueryInput>(
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
