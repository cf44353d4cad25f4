"use strict";
// With a server: sliders of joints and parameters, simulation that can be pulled with the mouse.
(() => {
  if (!window.poinsot) return; // there is no WebGL
  const page = window.poinsot, { data, byId, element, number, THREE } = page, live = data.live;
  if (!live) return;
  const side = byId("side"), message = byId("message"), motion = page.motions[0];
  let q = live.q.slice(), v = live.q.slice(0, live.nv).fill(0), t = 0, running = false, pull = null, busy = false;
  const ask = async (name, given) => {
    const answer = await fetch(name, { method: "POST", body: JSON.stringify(given) });
    const told = await answer.json();
    message.textContent = told.error || "";
    return told;
  };
  const values = () => Object.fromEntries(live.parameters.map((p) => [p.name, Number(p.input.value)]));
  const show = (told) => {
    if (told.error) return false;
    q = told.q;
    motion.times = new Float32Array([0]);
    motion.poses = new Float32Array(told.poses);
    if (told.scene) { Object.assign(data, told.scene); page.rebuild(); page.refit(); }
    page.touch();
    live.joints.forEach((joint) => {
      joint.input.value = String(q[joint.index]);
      joint.output.textContent = `${number(q[joint.index])} ${joint.unit}`;
    });
    residual.textContent = live.closed ? `loops and constraints are open by ${told.residual.toExponential(1)}` : "";
    message.textContent = told.limit || "";
    document.body.dataset.residual = String(told.residual);
    document.body.dataset.q = JSON.stringify(q);
    return true;
  };
  // One request at a time; of those that come meanwhile only the last is sent.
  let waiting = null;
  const move = async (given) => {
    if (busy) { waiting = given; return; }
    busy = true;
    show(await ask("configuration", { q, parameters: values(), ...given }));
    busy = false;
    if (waiting) { const next = waiting; waiting = null; move(next); }
  };
  const slider = (parent, name, low, high, value, unit) => {
    const row = element("label", { className: "slider", title: name }, parent);
    element("span", { textContent: name }, row);
    const input = element("input", { type: "range", min: low, max: high, step: "any" }, row);
    input.value = String(value);
    const output = element("output", { textContent: `${number(value)} ${unit}` }, row);
    return { input, output };
  };
  const box = element("div");
  side.insertBefore(box, message);
  if (live.joints.length) element("h2", { textContent: "Joints" }, box);
  for (const joint of live.joints) {
    Object.assign(joint, slider(box, joint.name, joint.low, joint.high, q[joint.index], joint.unit));
    joint.input.addEventListener("input", () => {
      stop();
      move({ joint: joint.joint, index: joint.index, value: Number(joint.input.value) });
    });
  }
  const residual = element("div", { className: "legend", id: "residual" }, box);
  if (live.parameters.length) element("h2", { textContent: "Parameters" }, box);
  for (const parameter of live.parameters) {
    Object.assign(parameter, slider(box, parameter.name, parameter.low, parameter.high, parameter.value, ""));
    parameter.input.addEventListener("input", () => {
      parameter.output.textContent = number(Number(parameter.input.value));
      if (!running) move({});
    });
  }
  const row = element("p", {}, box);
  const button = element("button", { type: "button", id: "simulate", textContent: "Simulate" }, row);
  row.append(" ");
  const reset = element("button", { type: "button", textContent: "Reset" }, row);
  element("div", { className: "legend", textContent: "while it runs, pull a body with the mouse; turn the view beside it" }, box);
  const stop = () => { running = false; button.textContent = "Simulate"; v = v.map(() => 0); };
  reset.addEventListener("click", () => { stop(); q = live.q.slice(); t = 0; clear(); move({}); });

  // ---- curves of the last seconds
  const SECONDS = 8, history = { t: [], q: [], energy: [] };
  const canvas = { q: element("canvas", { className: "plot" }), energy: element("canvas", { className: "plot" }) };
  element("h2", { textContent: "Coordinates over the last seconds" }, box);
  box.append(canvas.q);
  element("h2", { textContent: "Total energy [J]" }, box);
  box.append(canvas.energy);
  const clear = () => { history.t.length = history.q.length = history.energy.length = 0; draw(); };
  const strip = (target, columns) => {
    const w = target.clientWidth, h = target.clientHeight, c = target.getContext("2d");
    target.width = w;
    target.height = h;
    const flat = columns.flat().filter(Number.isFinite);
    if (!flat.length) return;
    let low = Math.min(...flat), high = Math.max(...flat);
    if (high - low < 1e-9 * Math.max(1, Math.abs(high))) { low -= 0.5; high += 0.5; }
    const end = history.t[history.t.length - 1], X = (x) => w - 6 - (w - 60) * (end - x) / SECONDS, Y = (y) => h - 8 - (h - 16) * (y - low) / (high - low);
    c.font = "10px system-ui, sans-serif";
    c.textAlign = "right";
    for (const y of [low, (low + high) / 2, high]) {
      c.strokeStyle = "#e8eaed";
      c.beginPath(); c.moveTo(54, Y(y)); c.lineTo(w - 6, Y(y)); c.stroke();
      c.fillStyle = "#8a919c";
      c.fillText(number(y), 50, Y(y) + 3);
    }
    columns.forEach((column, k) => {
      c.strokeStyle = data.palette[k % data.palette.length];
      c.lineWidth = 1.4;
      c.beginPath();
      column.forEach((y, i) => (i ? c.lineTo(X(history.t[i]), Y(y)) : c.moveTo(X(history.t[i]), Y(y))));
      c.stroke();
    });
  };
  const draw = () => {
    const shown = Math.min(q.length, 8);
    strip(canvas.q, Array.from({ length: shown }, (_, k) => history.q.map((row) => row[k])));
    strip(canvas.energy, [history.energy]);
  };

  // ---- simulation
  button.addEventListener("click", () => {
    running = !running;
    button.textContent = running ? "Pause" : "Simulate";
    if (running) step(performance.now());
  });
  const step = async (before) => {
    while (running) {
      const now = performance.now(), length = Math.min(Math.max((now - before) / 1000, 0.005), 0.05);
      before = now;
      const told = await ask("step", { q, v, t, length, pull, parameters: values() });
      if (told.error) { stop(); return; }
      v = told.v;
      t = told.t;
      show(told);
      history.t.push(t);
      history.q.push(told.q);
      history.energy.push(told.energy);
      while (history.t[0] < t - SECONDS) { history.t.shift(); history.q.shift(); history.energy.shift(); }
      draw();
      page.steps = (page.steps || 0) + 1;
      await new Promise((done) => requestAnimationFrame(done));
    }
  };

  // ---- pulling
  const ray = new THREE.Raycaster(), mouse = new THREE.Vector2(), plane = new THREE.Plane(), hit = new THREE.Vector3();
  const aim = (event) => {
    const area = page.renderer.domElement.getBoundingClientRect();
    mouse.set(2 * (event.clientX - area.left) / area.width - 1, 1 - 2 * (event.clientY - area.top) / area.height);
    ray.setFromCamera(mouse, page.camera);
  };
  const rope = new THREE.Line(new THREE.BufferGeometry(), new THREE.LineBasicMaterial({ color: "#d55e00", depthTest: false }));
  rope.geometry.setAttribute("position", new THREE.BufferAttribute(new Float32Array(6), 3));
  rope.visible = false;
  rope.frustumCulled = false;
  page.scene.add(rope);
  page.renderer.domElement.addEventListener("pointerdown", (event) => {
    if (!running) return;
    aim(event);
    const [first] = ray.intersectObjects(page.figures[0], true).filter((found) => found.object.isMesh);
    if (!first) return;
    let group = first.object;
    while (group.userData.body === undefined) group = group.parent;
    page.controls.enabled = false;
    plane.setFromNormalAndCoplanarPoint(page.camera.getWorldDirection(new THREE.Vector3()), first.point);
    const point = group.worldToLocal(first.point.clone());
    pull = { body: group.userData.body, point: point.toArray(), target: first.point.toArray() };
  }, true);
  window.addEventListener("pointermove", (event) => {
    if (!pull) return;
    aim(event);
    if (ray.ray.intersectPlane(plane, hit)) pull.target = hit.toArray();
  });
  window.addEventListener("pointerup", () => { pull = null; page.controls.enabled = true; });
  page.before = () => {
    if (rope.visible || pull) page.touch();
    rope.visible = Boolean(pull);
    if (!pull) return;
    const start = page.figures[0][pull.body].localToWorld(new THREE.Vector3(...pull.point));
    rope.geometry.attributes.position.array.set([...start.toArray(), ...pull.target]);
    rope.geometry.attributes.position.needsUpdate = true;
  };
  page.live = { q: () => q, pulls: (given) => { pull = given; }, isRunning: () => running };
  move({});
})();
