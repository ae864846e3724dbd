@if ($alpha)
@foreach ($items as $item)
{{ $item }}
@endforeach
@endif

@if ($beta)
@foreach ($items as $item)
{{ $item }}
@endforeach
@endif

@if ($gamma)
@foreach ($items as $item)
{{ $item }}
@endforeach
<p>text</p>
@endif
