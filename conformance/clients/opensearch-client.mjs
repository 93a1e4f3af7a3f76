// A tour with OpenSearch's own JavaScript client: node opensearch-client.mjs HOST:PORT INDEX.
// Ends with an error at the first answer that differs from what the client's users rely on.
import assert from 'node:assert/strict';
import { Client } from '@opensearch-project/opensearch';

const [address, index] = process.argv.slice(2);
const client = new Client({ node: `http://${address}`, maxRetries: 0, compression: 'gzip' });

const BIRDS = [
  { name: 'heron', text: 'herons stand still in water', wings: 2, vec: [0, 0] },
  { name: 'egret', text: 'an egret is a white heron', wings: 2, vec: [1, 0] },
  { name: 'kingfisher', text: 'kingfishers dive into water', wings: 2, vec: [2, 0] },
  { name: 'statue', text: 'a bird of stone', wings: 0, vec: [3, 0] },
];

async function refused(status, type, call) {
  await assert.rejects(call, (error) => {
    assert.equal(error.name, 'ResponseError', String(error));
    assert.equal(error.statusCode, status);
    assert.equal(error.body.error.type, type);
    assert.equal(error.body.error.root_cause.length > 0, true);
    assert.equal(error.body.status, status);
    return true;
  });
}

async function ids(query) {
  const { body } = await client.search({ index, body: { query } });
  assert.equal(body._shards.failed, 0);
  return body.hits.hits.map((hit) => hit._id);
}

async function info() {
  const { body } = await client.info();
  assert.equal(body.version.distribution, 'opensearch');
  assert.match(body.version.number, /^\d+\.\d+\.\d+$/);
  assert.equal((await client.ping()).body, true);
  assert.equal((await client.cluster.health()).body.timed_out, false);
}

async function indexLife() {
  assert.equal((await client.indices.exists({ index })).body, false);
  const { body: created } = await client.indices.create({
    index,
    body: {
      settings: { index: { number_of_shards: 2, number_of_replicas: 0, knn: true } },
      mappings: {
        properties: {
          name: { type: 'keyword' },
          text: { type: 'text', analyzer: 'english' },
          wings: { type: 'long' },
          vec: {
            type: 'knn_vector',
            dimension: 2,
            method: { name: 'hnsw', engine: 'faiss', space_type: 'l2' },
          },
        },
      },
    },
  });
  assert.deepEqual(created, { acknowledged: true, shards_acknowledged: true, index });
  assert.equal((await client.indices.exists({ index })).body, true);
  const { body: mapping } = await client.indices.getMapping({ index });
  assert.equal(mapping[index].mappings.properties.vec.dimension, 2);
  await refused(400, 'resource_already_exists_exception', () => client.indices.create({ index }));
}

async function bulk() {
  const { body: first } = await client.bulk({
    refresh: true,
    body: BIRDS.flatMap((bird) => [{ index: { _index: index, _id: bird.name } }, bird]),
  });
  assert.equal(first.errors, false);
  assert.deepEqual(first.items.map((item) => item.index.status), [201, 201, 201, 201]);

  const { body: mixed } = await client.bulk({
    index,
    body: [
      { create: { _id: 'heron' } }, BIRDS[0],
      { update: { _id: 'none' } }, { doc: { wings: 1 } },
      { delete: { _id: 'none' } },
      { index: { _id: 'bad' } }, { wings: 'many' },
    ],
  });
  assert.equal(mixed.errors, true);
  assert.deepEqual(
    mixed.items.map((item) => Object.values(item)[0].status),
    [409, 404, 404, 400],
  );
  const result = await client.helpers.bulk({
    datasource: BIRDS,
    onDocument: (bird) => ({ index: { _index: index, _id: bird.name } }),
    refreshOnCompletion: index,
  });
  assert.equal(result.total, BIRDS.length);
  assert.equal(result.failed, 0);
}

async function documents() {
  const { body: created } = await client.index({ index, id: 'wren', body: { wings: 2 } });
  assert.equal(created.result, 'created');
  const { body: read } = await client.get({ index, id: 'wren' });
  assert.deepEqual(read._source, { wings: 2 });
  assert.equal(read._seq_no, created._seq_no);
  const { body: updated } = await client.update({ index, id: 'wren', body: { doc: { name: 'wren' } } });
  assert.equal(updated._version, 2);
  assert.deepEqual((await client.get({ index, id: 'wren' })).body._source, { wings: 2, name: 'wren' });
  await refused(409, 'version_conflict_engine_exception', () =>
    client.create({ index, id: 'wren', body: {} }));
  await refused(404, 'document_missing_exception', () =>
    client.update({ index, id: 'none', body: { doc: {} } }));
  assert.equal((await client.delete({ index, id: 'wren', refresh: true })).body.result, 'deleted');
  assert.equal((await client.exists({ index, id: 'wren' })).body, false);
  await assert.rejects(client.get({ index, id: 'wren' }), { statusCode: 404 });
}

async function searches() {
  assert.deepEqual((await ids({ match: { text: 'heron' } })).sort(), ['egret', 'heron']);
  assert.deepEqual(await ids({ term: { name: 'egret' } }), ['egret']);
  assert.deepEqual(await ids({ range: { wings: { lt: 1 } } }), ['statue']);
  assert.deepEqual(
    await ids({ bool: { must: { match: { text: 'water' } }, must_not: { term: { name: 'heron' } } } }),
    ['kingfisher'],
  );
  assert.equal((await ids({ knn: { vec: { vector: [2.9, 0], k: 2 } } }))[0], 'statue');
  assert.deepEqual(
    await ids({ knn: { vec: { vector: [2.9, 0], k: 1, filter: { term: { name: 'heron' } } } } }),
    ['heron'],
  );
  const { body: page } = await client.search({
    index,
    from: 1,
    size: 2,
    body: { sort: [{ name: 'desc' }], _source: ['wings'] },
  });
  assert.equal(page.hits.total.value, BIRDS.length);
  assert.deepEqual(page.hits.hits.map((hit) => hit._id), ['kingfisher', 'heron']);
  assert.deepEqual(page.hits.hits[0]._source, { wings: 2 });
  assert.equal((await client.count({ index })).body.count, BIRDS.length);
  await refused(404, 'index_not_found_exception', () => client.search({ index: `${index}-none` }));
  await refused(400, 'parsing_exception', () => ids({ no_such_query: {} }));
}

async function hybrid() {
  const { body: put } = await client.transport.request({
    method: 'PUT',
    path: '/_search/pipeline/mixed-js',
    body: {
      phase_results_processors: [
        {
          'normalization-processor': {
            normalization: { technique: 'min_max' },
            combination: { technique: 'arithmetic_mean', parameters: { weights: [0.25, 0.75] } },
          },
        },
      ],
    },
  });
  assert.equal(put.acknowledged, true);
  const { body } = await client.search({
    index,
    search_pipeline: 'mixed-js',
    body: {
      query: {
        hybrid: {
          queries: [{ match: { text: 'heron' } }, { knn: { vec: { vector: [3, 0], k: 3 } } }],
          filter: { range: { wings: { gte: 2 } } },
        },
      },
    },
  });
  assert.deepEqual(
    body.hits.hits.map((hit) => hit._id).sort(),
    ['egret', 'heron', 'kingfisher'],
  );
  assert.equal(body.hits.hits[0]._id, 'kingfisher');
  assert.equal(Math.abs(body.hits.hits[0]._score - 0.75) < 1e-3, true);
}

async function end() {
  assert.equal((await client.indices.refresh({ index })).body._shards.failed, 0);
  assert.equal((await client.indices.delete({ index })).body.acknowledged, true);
  await refused(404, 'index_not_found_exception', () => client.indices.delete({ index }));
}

for (const step of [info, indexLife, bulk, documents, searches, hybrid, end]) {
  await step();
  console.log(step.name);
}
await client.close();
