"use strict";
// A motion with a server behind it: finer pictures of what is looked at, and other values of parameters.
(() => {
  if (!window.poinsot) return; // there is no WebGL
  const page = window.poinsot, { data, byId, element, number, floats } = page, { chunk, count, parameters } = data.served;
  const MOST = 8; // chunks that are kept
  const chunks = new Map();
  let version = 0;
  const ask = async (name, given) => {
    const answer = await fetch(name, { method: "POST", body: JSON.stringify(given) });
    const text = await answer.text();
    page.received = (page.received || 0) + text.length;
    return JSON.parse(text);
  };
  const get = async (index) => {
    if (index >= count || chunks.has(index)) return;
    chunks.set(index, null);
    const asked = version, told = await ask("pictures", { number: index });
    if (asked !== version || told.error) return;
    chunks.set(index, { times: floats(told.times), poses: floats(told.poses) });
    for (const key of chunks.keys()) if (chunks.size > MOST && key !== index) chunks.delete(key);
    page.touch();
  };
  if (count) page.finer = (time) => {
    const index = Math.min(Math.max(Math.floor((time - page.span()[0]) / chunk), 0), count - 1);
    get(index);
    if (page.isPlaying()) get(index + 1);
    return chunks.get(index) || null;
  };
  page.chunks = chunks;

  // ---- parameters
  if (!parameters.length) return;
  const side = byId("side"), message = byId("message"), box = element("div");
  side.insertBefore(box, message);
  element("h2", { textContent: "Parameters" }, box);
  let busy = false, waiting = false;
  const repeat = async () => {
    if (busy) { waiting = true; return; }
    busy = true;
    const told = await ask("parameters", { parameters: Object.fromEntries(parameters.map((p) => [p.name, Number(p.input.value)])) });
    message.textContent = told.error || told.note || "";
    if (!told.error) {
      version += 1;
      chunks.clear();
      Object.assign(page.motions[0], { times: floats(told.motion.times), poses: floats(told.motion.poses) });
      if (told.scene) { Object.assign(data, told.scene); page.rebuild(); page.refit(); }
      data.events = told.events;
      page.removeArrows();
      page.setPlots(told.panels);
      page.paths();
      page.go(page.time());
      page.repeats = (page.repeats || 0) + 1;
    }
    busy = false;
    if (waiting) { waiting = false; repeat(); }
  };
  for (const parameter of parameters) {
    const row = element("label", { className: "slider", title: parameter.name }, box);
    element("span", { textContent: parameter.name }, row);
    parameter.input = element("input", { type: "range", min: parameter.low, max: parameter.high, step: "any" }, row);
    parameter.input.value = String(parameter.value);
    parameter.output = element("output", { textContent: number(parameter.value) }, row);
    parameter.input.addEventListener("input", () => {
      parameter.output.textContent = number(Number(parameter.input.value));
      repeat();
    });
  }
})();
